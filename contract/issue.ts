import type { Issue } from './contract.ts';
import { renderIssueMessage } from './issue-message.ts';
import { exactPrefix } from './keyword-exact.ts';
import { appendPointer } from './pointer.ts';
import type { EngineError } from './schema-compiler.ts';
import type { SchemaOrigin } from './schema-rewrite.ts';

/**
 * The engine's errors as issues. Each is a true violation: what the branches of `anyOf`, `oneOf` and
 * `contains` refuse is told in the message of that keyword and not apart, since no branch must fit by itself.
 */
export function readIssues(errors: readonly EngineError[], originOf: (schema: unknown) => SchemaOrigin | undefined): readonly Issue[] {
  const slots: (Issue | undefined)[] = [];
  for (const error of errors) {
    const inner = takeInner(slots, error);
    if (error.keyword === 'propertyNames') placeNames(slots, inner, error);
    else if (error.keyword === 'if') restore(slots, inner);
    slots.push(summarisesElsewhere(error) ? undefined : readIssue(error, inner, originOf));
  }
  return distinct(slots.filter((issue) => issue !== undefined));
}

/** `if` and `propertyNames` say nothing that the errors of their subschemas have not said. */
function summarisesElsewhere({ keyword }: EngineError): boolean {
  return keyword === 'if' || keyword === 'propertyNames';
}

/** Empties the slots of the errors that belong to the subschemas of a summary; the count stays. */
function takeInner(slots: (Issue | undefined)[], error: EngineError): readonly (Issue | undefined)[] {
  const count: unknown = error.params.inner;
  if (typeof count !== 'number' || count === 0) return [];
  return slots.splice(-count, count, ...Array.from({ length: count }, () => undefined));
}

function restore(slots: (Issue | undefined)[], inner: readonly (Issue | undefined)[]): void {
  if (inner.length > 0) slots.splice(-inner.length, inner.length, ...inner);
}

/** The errors about a member's name; `inner` also has those of the names before it, which are placed already. */
function placeNames(slots: (Issue | undefined)[], inner: readonly (Issue | undefined)[], error: EngineError): void {
  const name = String(error.params.name);
  restore(slots, inner.map((issue) => (issue?.at === error.instancePath ? placeName(issue, name) : issue)));
}

function placeName(issue: Issue, name: string): Issue {
  return { ...issue, at: appendPointer(issue.at, name), message: `has a name that ${issue.message}` };
}

function readIssue(error: EngineError, inner: readonly (Issue | undefined)[], originOf: (schema: unknown) => SchemaOrigin | undefined): Issue {
  const origin = originOf(error.parentSchema) ?? { pointer: '#', applicator: '$ref' };
  const keyword = error.keyword.startsWith(exactPrefix) ? error.keyword.slice(exactPrefix.length) : error.keyword;
  const facts = { keyword, limit: error.schema, value: error.data, params: error.params, branches: inner.filter((issue) => issue !== undefined) };
  if (keyword === 'false') return { at: error.instancePath, keyword: origin.applicator, schemaPointer: origin.pointer, message: 'is not allowed' };
  return { at: memberAt(error), keyword, schemaPointer: appendPointer(origin.pointer, keyword), message: renderIssueMessage(facts) };
}

function memberAt({ instancePath, params }: EngineError): string {
  const missing: unknown = params.missingProperty;
  return typeof missing === 'string' ? appendPointer(instancePath, missing) : instancePath;
}

/** Two schemas that say the same of the same place are one issue: the first. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length < 2) return issues;
  return issues.filter((issue, index) => issues.findIndex((other) => isSame(issue, other)) === index);
}

function isSame(left: Issue, right: Issue): boolean {
  return left.at === right.at && left.keyword === right.keyword && left.message === right.message;
}
