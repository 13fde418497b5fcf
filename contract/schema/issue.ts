import type { Issue } from './schema-node.ts';
import { appendPointer, parsePointer } from '../json/pointer.ts';
import type { EngineError } from './compiler.ts';
import { keywordOf } from './keywords.ts';
import { neverKeyword, type SchemaOrigin } from './rewrite.ts';

/**
 * The engine's errors as issues. What the branches of `anyOf`, `oneOf` and `contains` refuse is
 * told in the message of that keyword, since no branch must fit by itself.
 */
export function readIssues(
  errors: readonly EngineError[],
  originOf: (schema: unknown) => SchemaOrigin | undefined,
): readonly Issue[] {
  const slots: Slot[] = [];
  let namesEnd = 0;
  for (const error of errors) {
    const innerStart = slots.length - innerCount(error);
    if (error.keyword === 'propertyNames')
      namesEnd = placeNames(slots, Math.max(innerStart, namesEnd), error);
    else slots.push(readIssue(error, takeFrom(slots, innerStart), originOf));
  }
  return distinct(slots.filter((issue) => issue !== undefined));
}

/** One for each error of the engine, so that places count; empty where it tells nothing. */
type Slot = Issue | undefined;

function innerCount({ params }: EngineError): number {
  return typeof params.inner === 'number' ? params.inner : 0;
}

/** Empties the slots of a summary's subschemas; the slots stay. */
function takeFrom(slots: Slot[], start: number): readonly Issue[] {
  const taken = slots.slice(start).filter((issue) => issue !== undefined);
  if (taken.length > 0) slots.fill(undefined, start);
  return taken;
}

/** Turns issues of a name into issues of the member; gives the number of slots. */
function placeNames(slots: Slot[], start: number, { params }: EngineError): number {
  for (const [index, issue] of slots.slice(start).entries()) {
    if (issue !== undefined) slots[start + index] = placeName(issue, String(params.name));
  }
  return slots.push(undefined);
}

function placeName(issue: Issue, name: string): Issue {
  const { at, message } = issue;
  return { ...issue, at: appendPointer(at, name), message: `has a name that ${message}` };
}

function readIssue(
  error: EngineError,
  branches: readonly Issue[],
  originOf: (schema: unknown) => SchemaOrigin | undefined,
): Issue {
  const { instancePath: at } = error;
  const { pointer, applicator } = placeOf(error, originOf(error.parentSchema));
  if (error.keyword === neverKeyword)
    return { at, keyword: applicator, schemaPointer: pointer, message: 'is not allowed' };
  const { name, message } = keywordOf(error.keyword) ?? { name: error.keyword };
  const facts = { limit: error.schema, value: error.data, params: error.params, branches };
  return {
    at: memberAt(error),
    keyword: name,
    schemaPointer: appendPointer(pointer, name),
    message: message?.(facts) ?? `must fit "${name}"`,
  };
}

function placeOf({ instancePath }: EngineError, origin: SchemaOrigin | undefined): SchemaOrigin {
  if (origin?.isOfMembers !== true) return origin ?? { pointer: '#', applicator: '$ref' };
  const name = parsePointer(instancePath).at(-1) ?? '';
  return { ...origin, pointer: appendPointer(origin.pointer, name) };
}

function memberAt({ instancePath, params }: EngineError): string {
  const missing: unknown = params.missingProperty;
  return typeof missing === 'string' ? appendPointer(instancePath, missing) : instancePath;
}

/** Two schemas that say the same of the same place are one issue: the first. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length < 2) return issues;
  const byMeaning = new Map<string, Issue>();
  for (const issue of issues) {
    const meaning = `${issue.at}\n${issue.keyword}\n${issue.message}`;
    if (!byMeaning.has(meaning)) byMeaning.set(meaning, issue);
  }
  return [...byMeaning.values()];
}
