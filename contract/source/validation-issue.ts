import { messageOf } from './contract-error.ts';
import { createDocumentNode, type DocumentNode } from './node.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../json/value.ts';
import { parsePointer } from '../json/pointer.ts';
import { distinctIssues } from './issue-log.ts';
import type { DocumentIssue } from './issue.ts';

/** One complaint of the checker: a place in the document with its references put in, and why. */
interface Complaint {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: JsonObject;
  readonly message: string;
}

/** Keywords that only say that one of the other complaints is true. */
const echoes = new Set(['if', 'oneOf', 'anyOf', 'allOf', 'not', '$ref']);

/**
 * What the checker throws as issues, each once, where the thing is defined; without those of
 * alternatives that were not meant, such as a path parameter's about a query parameter.
 */
export function readValidationIssues(
  document: JsonObject,
  source: string,
  cause: unknown,
): readonly DocumentIssue[] {
  const complaints = listComplaints(cause);
  if (complaints.length === 0) return [{ source, pointer: '#', reason: firstLine(cause) }];
  const telling = withoutOthers(complaints.filter((complaint) => !isEcho(complaint)));
  const kept = (telling.length > 0 ? telling : complaints).filter(
    (complaint, _, all) => !isShadow(complaint, all),
  );
  const root = createDocumentNode(document);
  const issues = mergeValues(kept).map((complaint) => ({
    source,
    pointer: placeOf(root, complaint.instancePath),
    reason: reasonOf(complaint),
  }));
  return distinctIssues(issues);
}

function listComplaints(cause: unknown): readonly Complaint[] {
  const details: unknown = cause instanceof Error && 'details' in cause ? cause.details : undefined;
  return Array.isArray(details) ? details.filter(isComplaint) : [];
}

function isComplaint(value: unknown): value is Complaint {
  return (
    isJsonObject(value) &&
    typeof value['instancePath'] === 'string' &&
    typeof value['schemaPath'] === 'string' &&
    isJsonObject(value['params'])
  );
}

function isEcho({ keyword, params }: Complaint): boolean {
  return echoes.has(keyword) || (keyword === 'required' && params['missingProperty'] === '$ref');
}

/** Of alternatives told apart by `in` or `type`, leaves out the complaints of those not meant. */
function withoutOthers(complaints: readonly Complaint[]): readonly Complaint[] {
  const others = new Set(
    complaints.filter(isMark).map((mark) => `${parentOf(mark.instancePath)} ${branchOf(mark)}`),
  );
  const isOther = (complaint: Complaint): boolean =>
    [complaint.instancePath, parentOf(complaint.instancePath)].some((path) =>
      others.has(`${path} ${branchOf(complaint)}`),
    );
  const meant = complaints.filter((complaint) => !isOther(complaint));
  const marks = complaints.filter(
    (complaint) =>
      isMark(complaint) && isOther(complaint) && !complaint.instancePath.endsWith('/required'),
  );
  return [
    ...meant,
    ...marks.filter(
      (mark) =>
        !meant.some(({ instancePath }) => instancePath.startsWith(parentOf(mark.instancePath))),
    ),
  ];
}

/** The value that tells alternatives apart: `type` of a security scheme, `in` of a parameter. */
function isMark(complaint: Complaint): boolean {
  return (
    complaint.keyword === 'enum' &&
    valuesOf(complaint).length === 1 &&
    /\/(in|type|required)$/.test(complaint.instancePath)
  );
}

function branchOf({ schemaPath }: Complaint): string {
  return /^#\/definitions\/[^/]+(\/oneOf\/\d+)?/.exec(schemaPath)?.[0] ?? '';
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A known member with an issue of its own, or beside one, also counts as not allowed. */
function isShadow(complaint: Complaint, all: readonly Complaint[]): boolean {
  const member = complaint.params['unevaluatedProperty'] ?? complaint.params['additionalProperty'];
  if (typeof member !== 'string') return false;
  const isBeside = all.some(
    (other) => other.instancePath === complaint.instancePath && other.keyword === 'required',
  );
  if (isBeside && complaint.keyword === 'unevaluatedProperties') return true;
  const path = `${complaint.instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return all.some(
    (other) => other.instancePath === path || other.instancePath.startsWith(`${path}/`),
  );
}

/** Joins the values that several alternatives allow at one place. */
function mergeValues(complaints: readonly Complaint[]): readonly Complaint[] {
  const merged = new Map<string, Complaint>();
  for (const complaint of complaints) {
    const isEnum = complaint.keyword === 'enum';
    const key = `${complaint.instancePath} ${isEnum ? 'enum' : reasonOf(complaint)}`;
    const values = [...valuesOf(merged.get(key)), ...valuesOf(complaint)];
    const params = { allowedValues: [...new Set(values)] };
    merged.set(key, isEnum ? { ...complaint, params } : complaint);
  }
  return [...merged.values()];
}

function valuesOf(complaint: Complaint | undefined) {
  const values = complaint?.params['allowedValues'];
  return isJsonArray(values) ? values : [];
}

function reasonOf(complaint: Complaint): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = complaint.params;
  const extra = additionalProperty ?? unevaluatedProperty;
  if (typeof missingProperty === 'string') return `${missingProperty} is missing`;
  if (typeof extra === 'string') return `${extra} is not allowed here`;
  const values = valuesOf(complaint);
  return values.length > 0
    ? `must be one of ${values.map(String).join(', ')}`
    : complaint.message.replaceAll(/(?<=\w),(?=\w)/g, ' or ');
}

/** Walks the path through references to where the thing is defined, as far as there is one. */
function placeOf(root: DocumentNode, path: string): string {
  let node = root;
  for (const token of parsePointer(path)) {
    const next = isJsonArray(node.value) ? node.items()[Number(token)] : node.get(token);
    if (next === undefined) return node.pointer;
    node = next;
  }
  return node.pointer;
}

function firstLine(cause: unknown): string {
  return messageOf(cause).split('\n', 1)[0] ?? '';
}
