import { addAll } from '../list/list.ts';
import type { DocumentIssue } from '../source/issue.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { valueIssue } from './keyword/value-kind.ts';
import { keywordOf, keywords, subschemaPointers } from './keywords.ts';
import { appendPointer } from '../json/pointer.ts';
import { normalizeSchema, type SchemaDialect } from '../source/dialect.ts';
import type { SchemaFinder } from './finder.ts';

/** Pointers of schemas that were looked at. */
interface SeenSchemas {
  has(pointer: string): boolean;
  add(pointer: string): unknown;
}

/**
 * What is wrong with a schema and all it refers to, short of compiling: unknown keywords, wrong
 * values, references to nowhere or in a circle. `seen` pointers are skipped, and it grows.
 */
export function inspectSchema(
  pointer: string,
  finder: SchemaFinder,
  dialect: SchemaDialect,
  seen: SeenSchemas,
): readonly DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  const pending = [pointer];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    inspectOne(next);
  }
  return issues;

  function inspectOne(at: string): void {
    const schema = finder.find(at);
    if (!isJsonObject(schema)) return;
    for (const [name, value] of Object.entries(normalizeSchema(schema, dialect))) {
      if (value !== undefined) inspectMember(appendPointer(at, name), name, value);
    }
    if (finder.inPlace(at).has(at)) report(at, 'refers to itself without end');
  }

  function inspectMember(at: string, name: string, value: JsonValue): void {
    const takes = keywordOf(name)?.takes;
    if (takes === undefined) return report(at, unknownKeyword(name));
    const isReference = name === '$ref' && typeof value === 'string';
    const reason =
      valueIssue(takes, value) ?? (isReference ? finder.referenceIssue(value) : undefined);
    if (reason !== undefined) return report(at, reason);
    if (takes === 'pattern-map' && isJsonObject(value)) inspectPatterns(at, value);
    addAll(pending, isReference ? [finder.target(value)] : subschemaPointers(at, takes, value));
  }

  function inspectPatterns(at: string, patterns: JsonObject): void {
    for (const pattern of Object.keys(patterns)) {
      const reason = valueIssue('pattern', pattern);
      if (reason !== undefined) report(appendPointer(at, pattern), reason);
    }
  }

  function report(at: string, reason: string): void {
    issues.push({ source: finder.source, pointer: at, reason });
  }
}

/** Why a member of a schema is none. */
export function unknownKeyword(name: string): string {
  if (name === 'nullable') return 'is a keyword of OpenAPI 3.0 only; write "type": ["...", "null"]';
  const similar = keywords.find((keyword) => isOneSlipAway(name, keyword.name))?.name;
  return similar === undefined
    ? 'is not a keyword of a schema'
    : `is not a keyword of a schema; "${similar}" may be meant`;
}

/** One letter more, less or other, or two neighbours exchanged; the case of letters is all one. */
function isOneSlipAway(written: string, meant: string): boolean {
  const [left, right] = [written.toLowerCase(), meant.toLowerCase()];
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  const [a, b] = [left.slice(start), right.slice(start)];
  const isExchanged = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || isExchanged;
}
