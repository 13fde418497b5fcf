import { without } from '../json/place.ts';
import { parsePointer, renderPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  mapMembers,
  type JsonObject,
  type JsonValue,
  wordOf,
} from '../json/value.ts';
import { type DiagnosticLog, messageOf } from './diagnostic.ts';
import { createDocumentNode, type DocumentNode } from './node.ts';
import { isData, isFreeMap } from './references.ts';
import type { OpenAPI } from 'openapi-types';

/**
 * Validates a document with local references against the official schema of its OpenAPI version. The
 * package with the schemas has none for 3.2.
 */
export async function validateDocument(document: JsonObject, log: DiagnosticLog): Promise<void> {
  const { openapi } = document;
  if (typeof openapi === 'string' && openapi.startsWith('3.2')) {
    const message = 'there is no official schema of OpenAPI 3.2 to validate the document against';
    return log.report('unvalidated-version', '#/openapi', message, 'Nothing has to be done.');
  }
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  const copy = copyForCheck(document);
  if (!isOpenApi(copy))
    return log.report('missing-paths', '#', 'it has neither paths nor webhooks');
  try {
    await SwaggerParser.validate(copy, {
      resolve: { external: false },
      dereference: { circular: 'ignore' },
    });
  } catch (cause) {
    const complaints = listComplaints(cause);
    if (complaints.length === 0)
      log.report('official-schema', '#', messageOf(cause).split('\n', 1)[0] ?? '');
    for (const complaint of complaints) {
      // The pointer to the definition, for a path through references.
      let pointer = '#';
      let node: DocumentNode | undefined = createDocumentNode(document);
      for (const token of parsePointer(complaint.instancePath)) {
        node = isJsonArray(node?.value) ? node.items()[Number(token)] : node?.get(token);
        pointer = node?.pointer ?? pointer;
      }
      log.report('official-schema', pointer, explain(complaint));
    }
  }
}

/** An error of the validator: a pointer into the document with its references resolved, and the reason. */
interface Complaint {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: JsonObject;
  readonly message: string;
}

/** Keywords that only repeat one of the other errors. */
const echoes = new Set(['if', 'oneOf', 'anyOf', 'allOf', 'not', '$ref']);

/** A member with its own error is also reported as not allowed: that is omitted. */
function listComplaints(cause: unknown): readonly Complaint[] {
  const details: unknown = cause instanceof Error && 'details' in cause ? cause.details : undefined;
  const all = Array.isArray(details) ? details.filter(isComplaint) : [];
  const telling = all.filter(
    ({ keyword, params }) => !echoes.has(keyword) && params['missingProperty'] !== '$ref',
  );
  const kept = telling.length > 0 ? telling : all;
  const paths = kept.map(({ instancePath }) => `${instancePath}/`);
  return kept.filter(({ instancePath, params }) => {
    const path = `${instancePath}${renderPointer([extraOf(params) ?? ''])}/`;
    return extraOf(params) === undefined || !paths.some((other) => other.startsWith(path));
  });
}

function isComplaint(value: unknown): value is Complaint {
  return (
    isJsonObject(value) &&
    typeof value['instancePath'] === 'string' &&
    isJsonObject(value['params'])
  );
}

function extraOf({ additionalProperty, unevaluatedProperty }: JsonObject): string | undefined {
  return wordOf(additionalProperty ?? unevaluatedProperty) || undefined;
}

function explain({ params, message }: Complaint): string {
  const { missingProperty, allowedValues } = params;
  const extra = extraOf(params);
  if (typeof missingProperty === 'string') return `${missingProperty} is missing`;
  if (extra !== undefined) return `${extra} is not allowed here`;
  return isJsonArray(allowedValues)
    ? `must be one of ${allowedValues.map(String).join(', ')}`
    : message.replaceAll(/(?<=\w),(?=\w)/g, ' or ');
}

function isOpenApi(value: unknown): value is OpenAPI.Document {
  return isJsonObject(value) && (isJsonObject(value['paths']) || isJsonObject(value['webhooks']));
}

/**
 * A copy without what the validator wrongly rejects: a `$ref` in data, a bigint, the description of a
 * server variable, which its schema for 3.1 forbids by mistake, and an HTTP scheme in upper case, which
 * means the same (RFC 9110 section 11.1).
 */
function copyForCheck(value: JsonValue | undefined, name = '', isMap = false): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return value.map((item) => copyForCheck(item));
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (member: JsonValue | undefined, key) => {
    const isVariable = isMap && name === 'variables' && isJsonObject(member) && 'default' in member;
    if (isVariable) return copyForCheck(without(member, new Set(['description'])), key);
    if (isMap) return copyForCheck(member, key);
    if (isData(key, member))
      // Data without its contents.
      return isJsonArray(member)
        ? copyForCheck(member.filter((item) => typeof item !== 'object'))
        : copyForCheck(isJsonObject(member) ? {} : member);
    if (key === 'scheme' && value['type'] === 'http' && typeof member === 'string')
      return member.toLowerCase();
    return copyForCheck(member, key, isFreeMap(key));
  });
}
