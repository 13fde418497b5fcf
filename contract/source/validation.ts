import { mapData } from './references.ts';
import { readValidationIssues } from './validation-issue.ts';
import {
  isJsonArray,
  isJsonObject,
  mapMembers,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import type { DocumentIssue } from './issue.ts';
import type { OpenAPI } from 'openapi-types';

/**
 * Checks a document of local references against the schema of its OpenAPI version. The package that
 * has the schemas has none of 3.2.
 */
export async function validateDocument(
  document: JsonObject,
  source: string,
): Promise<readonly DocumentIssue[]> {
  const { openapi } = document;
  if (typeof openapi === 'string' && openapi.startsWith('3.2.')) return [];
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  const copy = copyForCheck(document);
  if (!isOpenApi(copy))
    return [{ source, pointer: '#', reason: 'it has neither paths nor webhooks' }];
  try {
    await SwaggerParser.validate(copy, {
      resolve: { external: false },
      dereference: { circular: 'ignore' },
    });
    return [];
  } catch (cause) {
    return readValidationIssues(document, source, cause);
  }
}

function isOpenApi(value: unknown): value is OpenAPI.Document {
  return isJsonObject(value) && (isJsonObject(value['paths']) || isJsonObject(value['webhooks']));
}

/**
 * A copy without what the checker takes amiss: a `$ref` in data, a bigint, the description of a
 * server variable, which its schema for 3.1 refuses by mistake, and an HTTP scheme in capitals, which
 * means the same (RFC 9110 section 11.1).
 */
function copyForCheck(document: JsonObject): unknown {
  return withoutQuirks(
    mapData(document, (value) => (typeof value === 'object' ? hollow(value) : value)),
  );
}

function hollow(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.filter((item) => typeof item !== 'object');
  return isJsonObject(value) ? {} : value;
}

function withoutQuirks(value: JsonValue | undefined, name = ''): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return value.map((item) => withoutQuirks(item));
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (member: JsonValue | undefined, key) =>
    key === 'scheme' && value['type'] === 'http' && typeof member === 'string'
      ? member.toLowerCase()
      : withoutQuirks(name === 'variables' ? withoutDescription(member) : member, key),
  );
}

function withoutDescription(variable: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(variable) || !('default' in variable)) return variable;
  const { description: _, ...others } = variable;
  return others;
}
