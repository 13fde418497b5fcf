import { essence } from '../../contract/openapi/media-type.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { successResponse } from '../../contract/openapi/response.ts';
import {
  type Exchange,
  type Failure,
  type ReceivedResponse,
  type Requirement,
  type Verdict,
  headerOf,
  jsonOf,
  operationOf,
  readJson,
  pathValuesOf,
} from '../../conformance/index.ts';
import { decodePercent } from '../../contract/source/percent.ts';
import { describeCredential } from '../model/exchange-line.ts';

export interface Reading {
  readonly exchange: Exchange;
  readonly operation: Operation | undefined;
  readonly response: ReceivedResponse | undefined;
  readonly body: JsonValue | undefined;
  /** The body that was sent, as JSON; undefined where it is not JSON. */
  readonly sent: JsonValue | undefined;
  /** The status that is due; undefined where that is open. */
  readonly expected: number | undefined;
}

export interface Log {
  readonly contract: Contract;
  readonly readings: readonly Reading[];
  /** The readings with a response below 500. */
  readonly answered: readonly Reading[];
  /** Several shards, each with a key of its own, sent them. */
  readonly isSplit: boolean;
}

/** One failure of one requirement, with the exchanges that show it. */
export interface Symptom {
  readonly requirement: Requirement;
  readonly failure: Failure;
  /** The exchange in which it was found first, before a smaller one was looked for. */
  readonly reading: Reading;
  /** Further exchanges that the contradiction needs. */
  readonly others: readonly Reading[];
  /** Id of the requirement whose failure led to this one, as the judge found. */
  readonly because: string | undefined;
}

export function readLog(contract: Contract, exchanges: readonly Exchange[], isSplit = false): Log {
  const readings = exchanges.map((each) => readExchange(contract, each));
  return {
    contract,
    readings,
    answered: readings.filter((each) => !isCrash(each)),
    isSplit,
  };
}

function readExchange(contract: Contract, exchange: Exchange): Reading {
  const operation = operationOf(contract, exchange.request.operation);
  const response = exchange.outcome.kind === 'answered' ? exchange.outcome.response : undefined;
  return {
    exchange,
    operation,
    response,
    body: response && jsonOf(response),
    sent: readJson(exchange.request.body),
    expected: expectedStatus(exchange, operation, contract),
  };
}

function expectedStatus(
  { intent }: Exchange,
  operation: Operation | undefined,
  contract: Contract,
): number | undefined {
  if (intent.kind === 'invalid') return intent.status;
  if (intent.kind === 'absent') return 404;
  if (intent.kind === 'beyond') return contract.rateLimit?.status;
  const success = operation === undefined ? undefined : successResponse(operation);
  return intent.kind === 'valid' && success !== undefined ? Number(success.status) : undefined;
}

export function readSymptoms(verdicts: readonly Verdict[], { readings }: Log): readonly Symptom[] {
  const byIndex = new Map(readings.map((each) => [each.exchange.index, each]));
  return verdicts.flatMap((verdict) => {
    if (verdict.kind !== 'failed') return [];
    return verdict.failures.flatMap((failure) => {
      const { exchange, others: rest, because } = failure.shrunkFrom ?? failure;
      const reading = byIndex.get(exchange);
      const others = rest.flatMap((index) => byIndex.get(index) ?? []);
      const { requirement } = verdict;
      return reading === undefined ? [] : [{ requirement, failure, reading, others, because }];
    });
  });
}

/** The exchanges of symptoms, each once, in the order in which they happened. */
export function readingsOf(symptoms: readonly Symptom[]): readonly Reading[] {
  return [...new Set(symptoms.map(({ reading }) => reading))].toSorted(
    (one, other) => one.exchange.index - other.exchange.index,
  );
}

export function operationsOf(readings: readonly Reading[]): readonly string[] {
  return [...new Set(readings.map(({ exchange }) => exchange.request.operation))];
}

/** Groups whose symptoms were found in the same exchanges, together. */
export function groupByReadings<Group>(
  groups: Iterable<Group>,
  symptomsOf: (group: Group) => readonly Symptom[],
): readonly (readonly Group[])[] {
  const indexes = (group: Group): string =>
    readingsOf(symptomsOf(group))
      .map(({ exchange }) => exchange.index)
      .join(' ');
  return [...Map.groupBy(groups, indexes).values()];
}

export function isAsExpected({ expected, response }: Reading): boolean {
  return expected === response?.status;
}

export function isServed({ response }: Reading): boolean {
  return response !== undefined && response.status < 300;
}

/** No response came, or one that says that the server failed. */
export function isCrash({ response }: Reading): boolean {
  return response === undefined || response.status >= 500;
}

/** Whether an operation changes what the service stores: it is not a GET. */
export function isWriting(operation: Operation | undefined): boolean {
  return operation !== undefined && operation.method !== 'GET';
}

/** The media type of a response, in lower case and without parameters; empty for none. */
export function mediaTypeOf(response: ReceivedResponse): string {
  return essence(headerOf(response, 'content-type') ?? '');
}

type Test = (value: JsonValue | undefined) => boolean;

function ofText(pattern: RegExp): Test {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function ofInteger(test: (value: bigint) => boolean): Test {
  return (value) =>
    typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
      ? test(BigInt(value))
      : false;
}

/** What is special about a value, in words that follow its name, the plainest first. */
const valueClasses: readonly (readonly [words: string, test: Test])[] = [
  ['is missing', (value) => value === undefined],
  ['is null', (value) => value === null],
  ['is a boolean', (value) => typeof value === 'boolean'],
  ['is empty', ofText(/^$/)],
  ['contains a NUL', ofText(/\0/)],
  ['contains a lone surrogate', ofText(/\p{Cs}/u)],
  ['contains control characters', ofText(/\p{Cc}/u)],
  ['contains characters beyond U+FFFF', ofText(/[\u{10000}-\u{10FFFF}]/u)],
  ['contains a line separator', ofText(/[\u2028\u2029]/)],
  ['contains non-ASCII characters', ofText(/[^\0-\x7F]/)],
  ['begins or ends with a space', ofText(/^\s|\s$/)],
  ['contains an apostrophe', ofText(/'/)],
  ['contains a percent sign', ofText(/%/)],
  ['contains a quotation mark or a backslash', ofText(/["\\]/)],
  ['contains an HTML character', ofText(/[<>&]/)],
  ['is a number in quotes', ofText(/^-?\d+(\.\d+)?$/)],
  ...[4000, 1000, 255, 100, 50, 20].map((length) => {
    const test: Test = (value) => typeof value === 'string' && value.length > length;
    return [`is longer than ${length} characters`, test] as const;
  }),
  ['is a string', (value) => typeof value === 'string'],
  ['is an array', (value) => value !== undefined && isJsonArray(value)],
  ['is an object', (value) => isJsonObject(value)],
  ['is a fraction', (value) => typeof value === 'number' && !Number.isInteger(value)],
  ['is 0', ofInteger((value) => value === 0n)],
  ['is beyond 64 bits', ofInteger((value) => value !== BigInt.asIntN(64, value))],
  ['is the largest 64-bit integer', ofInteger((value) => value === 2n ** 63n - 1n)],
  ['is the smallest 64-bit integer', ofInteger((value) => value === -(2n ** 63n))],
  ['is beyond 2^53', ofInteger((value) => value > 2n ** 53n || value < -(2n ** 53n))],
  ['is beyond 32 bits', ofInteger((value) => value !== BigInt.asIntN(32, value))],
  ['is negative', ofInteger((value) => value < 0n)],
  ['is below 10', ofInteger((value) => value > 0n && value < 10n)],
  ['is a number', (value) => typeof value === 'number' || typeof value === 'bigint'],
];

function* classesOf(value: JsonValue | undefined): Generator<string> {
  for (const [words, test] of valueClasses) if (test(value)) yield words;
}

/** Headers about which something is said, unless they are what requests have as a rule. */
const tellingHeaders = /^(accept|content-type|content-encoding|accept-encoding|expect)$/;
const usualHeaders = /^(accept|content-type): application\/json$/;

/**
 * Everything that can be said of a request in words that follow it, the most telling first:
 * `in which `name` is null`, `without a key`.
 */
export function* conditionsOf(reading: Reading): Generator<string> {
  const { exchange, operation, expected } = reading;
  const { request, intent, group } = exchange;
  for (const [name, value] of request.headers) {
    const header = `${name.toLowerCase()}: ${value}`;
    if (tellingHeaders.test(name.toLowerCase()) && !usualHeaders.test(header))
      yield `with the header \`${cutText(header)}\``;
  }
  if (intent.kind === 'invalid') yield `in which ${intent.way}`;
  if (request.credential !== 'valid') yield describeCredential(request.credential);
  if (operation?.requestBody !== undefined) yield* bodyConditions(reading);
  for (const [name, text] of new URLSearchParams(request.target.split('?')[1] ?? '')) {
    yield `with \`${name}=${cutText(text)}\``;
    for (const words of classesOf(readValue(text)))
      yield `in which \`${name}\` in the query ${words}`;
    yield `with \`${name}\` in the query`;
  }
  if (operation?.path.includes('{') === true) {
    const id = Object.values(pathValuesOf(operation, request.target)).at(-1) ?? '';
    for (const words of classesOf(readValue(id)))
      yield `in which the identifier in the path ${words}`;
  }
  if (group !== undefined) yield 'sent at the same time as others';
  if (intent.kind === 'beyond') yield 'sent with no requests remaining';
  if (expected === 404) yield 'for an identifier that does not exist';
  else if (expected !== undefined) yield `that should get ${expected}`;
}

function* bodyConditions({ exchange, operation, sent }: Reading): Generator<string> {
  const { body } = exchange.request;
  if (body === undefined || body === '') return yield 'without a body';
  if (sent === undefined) return yield 'with a body that is not JSON';
  if (!isJsonObject(sent)) {
    for (const words of classesOf(sent)) yield `in which the body ${words}`;
    return yield 'with a body that is not an object';
  }
  const schema = operation?.requestBody?.content.find((each) => each.schema)?.schema;
  const known = schema?.shape().properties ?? new Map<string, undefined>();
  for (const name of new Set([...known.keys(), ...Object.keys(sent)])) {
    const [value, member] = [sent[name], known.get(name)];
    if (!known.has(name)) {
      yield `with the additional member \`${name}\``;
      yield 'with an additional member';
    } else if (member?.shape().values !== undefined && typeof value === 'string')
      yield `in which \`${name}\` is "${cutText(value)}"`;
    for (const words of classesOf(value))
      yield value === undefined ? `without \`${name}\`` : `in which \`${name}\` ${words}`;
    if (value !== undefined && (member?.validate(value).length ?? 0) > 0)
      yield `with an invalid \`${name}\``;
  }
  yield `with only ${listWords(Object.keys(sent).map((name) => `\`${name}\``))} in the body`;
}

/** A value of a path or query: a number where it looks like one. */
function readValue(text: string): JsonValue {
  return /^-?\d{1,40}$/.test(text) ? BigInt(text) : (decodePercent(text) ?? text);
}

/** Exchanges with what sets them apart from others; without a condition where nothing does. */
interface ConditionClass {
  readonly condition: string | undefined;
  readonly readings: readonly Reading[];
}

/** Most classes of one outcome: what needs more of them has no condition. */
const mostClasses = 3;

/**
 * Divides exchanges into few classes that are set apart from others by what their requests have in
 * common. A few others may have it too: it is counted how many.
 */
export function classify(
  some: readonly Reading[],
  others: readonly Reading[],
): readonly ConditionClass[] {
  const elsewhere = Map.groupBy(
    others.flatMap((each) => [...new Set(conditionsOf(each))]),
    (words) => words,
  );
  // Where all requests of an operation are of the class, nothing sets them apart.
  const known = new Set(others.map(({ operation }) => operation));
  const whole = some.filter(({ operation }) => !known.has(operation));
  if (whole.length > 1) {
    const rest = some.filter((each) => !whole.includes(each));
    return [{ condition: undefined, readings: whole }, ...classify(rest, others)];
  }
  const own = new Map(some.map((each) => [each, new Set(conditionsOf(each))]));
  const classes: ConditionClass[] = [];
  let left = some;
  while (left.length > 0) {
    const counts = new Map<string, number>();
    for (const each of left)
      for (const words of own.get(each) ?? []) counts.set(words, (counts.get(words) ?? 0) + 1);
    const [best] = [...counts]
      .map(([words, count]) => ({
        words,
        score: count - strictness * (elsewhere.get(words)?.length ?? 0),
      }))
      .toSorted((one, other) => other.score - one.score);
    if (best === undefined || best.score <= 0) break;
    const readings = left.filter((each) => own.get(each)?.has(best.words));
    classes.push({ condition: best.words, readings });
    left = left.filter((each) => !readings.includes(each));
  }
  // What sets a single request apart may be chance: it does not explain one of several.
  const isTooMany = classes.length > mostClasses || left.length > 0;
  const kept = classes.filter(({ readings }) => !isTooMany || readings.length > 1);
  const rest = some.filter((each) => !kept.some(({ readings }) => readings.includes(each)));
  return rest.length === 0 ? kept : [...kept, { condition: undefined, readings: rest }];
}

/** So many exchanges speak for a condition for each other one that has it too. */
const strictness = 4;

/** Names in a sentence: `a`, `a and b`, `a, b and c`; each once. */
export function listWords(words: readonly string[], last = 'and'): string {
  const distinct = [...new Set(words)];
  if (distinct.length < 2) return distinct.join('');
  return `${distinct.slice(0, -1).join(', ')} ${last} ${distinct.at(-1) ?? ''}`;
}

export function cutText(text: string): string {
  const [most, kept] = [60, 50];
  return text.length <= most ? text : `${text.slice(0, kept)}…`;
}
