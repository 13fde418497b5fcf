import type { Issue } from './schema-node.ts';
import { renderJson, type JsonValue } from '../json/value.ts';
import { integerRange } from './keyword/number.ts';

/** What a message is made of. */
export interface IssueFacts {
  readonly keyword: string;
  /** The keyword's value in the schema. */
  readonly limit: unknown;
  /** The value that was refused. */
  readonly value: unknown;
  /** What the engine adds. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The issues of the alternatives, for `anyOf` and `oneOf`. */
  readonly branches: readonly Issue[];
}

/** Words for people, without the value's path: `must be at most 100`. Long values are cut. */
export function renderIssueMessage(facts: IssueFacts): string {
  const render = messages[facts.keyword];
  return render === undefined ? `must fit "${facts.keyword}"` : render(facts);
}

/** A JSON value as a message names it: `the string "1"`, `an array`, `1.5`, `null`. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return `the string ${renderShort(value)}`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return cut(String(value));
}

const messages: Readonly<Record<string, (facts: IssueFacts) => string>> = {
  required: () => 'is required',
  dependentRequired: ({ params }) => `is required beside ${renderShort(String(params.property))}`,
  type: ({ limit, value }) => `must be ${renderTypes(limit)}, not ${describeValue(value)}`,
  enum: ({ limit }) => `must be ${renderChoices(limit)}`,
  const: ({ limit }) => `must be ${renderShort(limit)}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ limit }) => `must be a multiple of ${String(limit)}`,
  minLength: ({ limit }) => `must have at least ${renderCount(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${renderCount(limit, 'character')}`,
  pattern: ({ limit }) => `must match the pattern ${cut(String(limit))}`,
  format: ({ limit }) =>
    `must be ${formats[String(limit)] ?? `in the format ${renderShort(limit)}`}`,
  minItems: ({ limit }) => `must have at least ${renderCount(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${renderCount(limit, 'item')}`,
  uniqueItems: () => 'must not have two equal items',
  minProperties: ({ limit }) => `must have at least ${renderCount(limit, 'member')}`,
  maxProperties: ({ limit }) => `must have at most ${renderCount(limit, 'member')}`,
  contains: () => 'must have as many items that fit "contains" as the schema says',
  not: () => 'must not fit the schema under "not"',
  anyOf: ({ limit, branches }) =>
    `must fit at least one of ${renderCount(lengthOf(limit), 'alternative')}${renderBranches(branches)}`,
  oneOf: renderOneOf,
};

const typeWords: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

const formats: Readonly<Record<string, string>> = {
  int32: `a 32-bit integer (from ${integerRange[32].lowest} to ${integerRange[32].highest})`,
  int64: `a 64-bit integer (from ${integerRange[64].lowest} to ${integerRange[64].highest})`,
  float: 'a number of single precision',
  date: 'a date, such as 2030-12-05',
  time: 'a time, such as 08:30:00Z',
  'date-time': 'a date and time, such as 2030-12-05T08:30:00Z',
  duration: 'a duration, such as P1DT12H',
  email: 'an e-mail address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uri: 'a URI',
  'uri-reference': 'a URI or relative reference',
  uuid: 'a UUID',
  byte: 'base64 text',
};

function renderOneOf({ limit, params, branches }: IssueFacts): string {
  const alternatives = renderCount(lengthOf(limit), 'alternative');
  const passing = Array.isArray(params.passing)
    ? params.passing.flat(Infinity).map((index) => Number(index) + 1)
    : [];
  if (passing.length === 0)
    return `must fit exactly one of ${alternatives}${renderBranches(branches)}`;
  return `must fit exactly one of ${alternatives}, not both ${passing.slice(0, 2).join(' and ')}`;
}

const namedBranches = 3;

function renderBranches(branches: readonly Issue[]): string {
  if (branches.length === 0) return '';
  const reasons = branches
    .slice(0, namedBranches)
    .map(({ at, message }) => (at === '' ? message : `${at} ${message}`));
  return ` (${cut([...new Set(reasons)].join('; '), 240)}${branches.length > namedBranches ? '; ...' : ''})`;
}

function renderTypes(limit: unknown): string {
  const types = Array.isArray(limit) ? limit : [limit];
  return types.map((type) => typeWords[String(type)] ?? String(type)).join(' or ');
}

const namedChoices = 10;

function renderChoices(limit: unknown): string {
  const choices: readonly unknown[] = Array.isArray(limit) ? limit : [];
  if (choices.length === 1) return renderShort(choices[0]);
  const named = choices.slice(0, namedChoices).map(renderShort).join(', ');
  return choices.length > namedChoices
    ? `one of ${choices.length} values: ${named}, ...`
    : `one of ${named}`;
}

function renderCount(count: unknown, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function renderShort(value: unknown): string {
  if (typeof value === 'string') return cut(renderJson(value.slice(0, longest + 1)));
  return isRenderable(value) ? cut(renderJson(value)) : 'a value';
}

function isRenderable(value: unknown): value is JsonValue {
  return typeof value !== 'undefined' && typeof value !== 'function' && typeof value !== 'symbol';
}

const longest = 60;

/** Well formed even if the cut falls within a surrogate pair. */
function cut(text: string, length = longest): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}...` : text;
}
