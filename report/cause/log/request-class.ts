import {
  isJsonObject,
  type JsonValue,
  type Operation,
  type SchemaNode,
} from '../../../contract/index.ts';
import { describeUse } from '../../../conformance/index.ts';
import { countOf } from '../../../view/count.ts';
import { pathIdOf, type Reading } from './reading.ts';
import { valueClasses } from './value-class.ts';

/** What requests have in common, in words that follow "in which". */
export interface RequestClass {
  /** Undefined where nothing sets them apart from all others. */
  readonly words: string | undefined;
  /** Of which requests only it is said; empty for all of the run. */
  readonly among: string;
  readonly readings: readonly Reading[];
}

/**
 * Divides requests into as few classes as set them apart from others: each request of a class has
 * something that none of the others has. Where nothing sets all of them apart, they are compared with
 * others that were sent for the same response. What nothing sets apart is a class without words.
 */
export function classifyRequests(
  some: readonly Reading[],
  others: readonly Reading[],
): readonly RequestClass[] {
  const [first, ...more] = divide(some, others);
  if (first !== undefined && more.length === 0 && first.words !== undefined) return [first];
  return [...Map.groupBy(some, ({ expected }) => expected)].flatMap(([expected, alike]) =>
    divide(
      alike,
      others.filter((other) => other.expected === expected),
    ).map((each) => ({ ...each, among: amongOf(expected) })),
  );
}

/** The requests of a class in words: `the 3 requests in which ..., and no other that ...`. */
export function tellRequests({ words, among, readings }: RequestClass): string {
  if (words === undefined) return countOf(readings.length, 'request');
  const number = readings.length === 1 ? 'the one request' : `the ${readings.length} requests`;
  const rest = `and no other${among === '' ? '' : ` ${among}`}`;
  return words === always ? `${number} that came, ${rest}` : `${number} in which ${words}, ${rest}`;
}

/** Which requests the others are, where they are not all. */
function amongOf(expected: number | undefined): string {
  if (expected === undefined) return 'on which the contract is silent';
  return expected < 300 ? 'that keeps the contract' : `that has to be answered ${expected}`;
}

function divide(some: readonly Reading[], others: readonly Reading[]): readonly RequestClass[] {
  const foreign = new Set(others.flatMap((each) => [...requestClasses(each)]));
  const own = new Map(
    some.map((each) => {
      const words = new Set(requestClasses(each));
      return [each, [...words.difference(foreign)]];
    }),
  );
  const classes: RequestClass[] = [];
  let left = some;
  while (left.length > 0) {
    const words = mostFrequent(left.map((each) => own.get(each) ?? []));
    const readings = left.filter((each) => words === undefined || own.get(each)?.includes(words));
    classes.push({ words: words?.split(separator)[0], among: '', readings });
    left = left.filter((each) => !readings.includes(each));
  }
  return classes;
}

/** The words in most lists; of several the one that stands first. */
function mostFrequent(lists: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>();
  for (const words of lists.flat()) counts.set(words, (counts.get(words) ?? 0) + 1);
  const most = counts.values().reduce((one, other) => Math.max(one, other), 0);
  return [...counts].find(([, count]) => count === most)?.[0];
}

/** Of all requests of an operation. */
const always = 'it is called';

/** Between the words and the operation that they are said of. */
const separator = '\0';

/** Everything that can be said of a request, the most telling first. */
function* requestClasses(reading: Reading): Generator<string> {
  const at = `${separator}${reading.operation?.id ?? ''}`;
  yield `${always}${at}`;
  if (reading.exchange.intent.kind === 'invalid') yield reading.exchange.intent.way;
  for (const words of plainClasses(reading)) {
    yield words;
    yield `${words}${at}`;
  }
}

function* plainClasses(reading: Reading): Generator<string> {
  const { exchange, operation, sent, expected } = reading;
  const { request, group, intent } = exchange;
  if (request.credential !== 'valid') {
    const { way, isNear = false } = describeUse(request.credential);
    yield way;
    if (isNear) yield 'the key is nearly right';
    if (request.credential === 'invalid' || isNear) yield 'the key is wrong';
    yield 'the key is not valid';
  }
  if (operation?.requestBody !== undefined)
    yield* bodyClasses(request.body, sent, membersOf(operation));
  for (const [name, value] of new URLSearchParams(request.target.split('?')[1] ?? ''))
    yield* queryClasses(name, value);
  if (operation?.path.includes('{') === true)
    for (const words of valueClasses(readValue(pathIdOf(reading))))
      yield `the identifier in the path ${words}`;
  if (expected === 404) yield 'nothing has the identifier';
  if (group !== undefined) yield 'others come at the same time';
  if (intent.kind === 'invalid') {
    yield `the request has to be answered ${intent.status}`;
  }
  if (intent.kind === 'beyond') yield 'nothing is left of the limit';
}

type Members = ReadonlyMap<string, SchemaNode>;

/** The members that the document gives a body. */
function membersOf({ requestBody }: Operation): Members {
  const schema = requestBody?.content.find((each) => each.schema)?.schema;
  return schema?.shape().properties ?? new Map();
}

function* bodyClasses(
  text: string | undefined,
  sent: JsonValue | undefined,
  known: Members,
): Generator<string> {
  if (text === undefined || text === '') yield 'there is no body';
  else if (sent === undefined) yield 'the body is no JSON';
  else if (!isJsonObject(sent)) {
    for (const words of valueClasses(sent)) yield `the body ${words}`;
    yield 'the body is no object';
  } else {
    for (const name of new Set([...known.keys(), ...Object.keys(sent)]))
      yield* memberClasses(name, sent[name], known.get(name));
    yield `the body has only ${Object.keys(sent)
      .map((name) => `\`${name}\``)
      .join(', ')}`;
  }
}

function* memberClasses(
  name: string,
  value: JsonValue | undefined,
  schema: SchemaNode | undefined,
): Generator<string> {
  if (schema === undefined) {
    yield `there is a further member \`${name}\``;
    yield 'there is a further member';
  } else if (schema.shape().values !== undefined && typeof value === 'string')
    yield `\`${name}\` is "${value}"`;
  for (const words of valueClasses(value)) yield `\`${name}\` ${words}`;
  const issues = value === undefined ? [] : (schema?.validate(value) ?? []);
  if (issues.some(({ keyword }) => keyword === 'type')) yield `\`${name}\` is of a wrong type`;
  if (issues.length > 0) yield `\`${name}\` is not as the document has it`;
}

function* queryClasses(name: string, text: string): Generator<string> {
  yield `the query has \`${name}=${text}\``;
  for (const words of valueClasses(readValue(text))) yield `\`${name}\` in the query ${words}`;
  yield `the query has \`${name}\``;
}

/** A value of a path or query: a number where it looks like one. */
function readValue(text: string): JsonValue {
  return /^-?\d{1,40}$/.test(text) ? BigInt(text) : decode(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
