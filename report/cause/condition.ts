import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  renderJson,
} from '../../contract/json/value.ts';
import { pathValuesOf } from '../../conformance/index.ts';
import { decodePercent } from '../../contract/source/percent.ts';
import { describeCredential } from '../model/exchange-line.ts';
import { cutText, type Reading } from './log.ts';

/** What is special about a text, in words that follow its name. */
const textClasses: readonly (readonly [words: string, pattern: RegExp])[] = [
  ['contains a NUL', /\0/],
  ['contains control characters', /\p{Cc}/u],
  ['contains characters beyond U+FFFF', /[\u{10000}-\u{10FFFF}]/u],
  ['contains non-ASCII characters', /[^\0-\x7F]/],
  ['contains a quotation mark or an apostrophe', /["']/],
  ['is longer than 1000 characters', /^.{1001}/su],
  ['is longer than 255 characters', /^.{256}/su],
  ['is longer than 100 characters', /^.{101}/su],
  ['is a string', /^/],
];

function isBeyond(bits: bigint): (value: number | bigint) => boolean {
  const most = 2n ** bits;
  return (value) => value >= most || value < -most;
}

/** The same for a number. */
const numberClasses: readonly (readonly [
  words: string,
  test: (value: number | bigint) => boolean,
])[] = [
  ['is beyond 64 bits', isBeyond(63n)],
  ['is beyond 2^53', (value) => value > 2n ** 53n || value < -(2n ** 53n)],
  ['is beyond 32 bits', isBeyond(31n)],
  ['is negative', (value) => value < 0],
  ['is a fraction', (value) => !Number.isInteger(Number(value))],
  ['is a number', () => true],
];

function* classesOf(value: JsonValue): Generator<string> {
  if (typeof value === 'string') {
    for (const [words, pattern] of textClasses) if (pattern.test(value)) yield words;
  } else if (isJsonArray(value)) yield 'is an array';
  else if (isJsonObject(value)) yield 'is an object';
  else if (typeof value === 'number' || typeof value === 'bigint')
    for (const [words, test] of numberClasses) if (test(value)) yield words;
  // Other texts are generated for one request each, so that their properties mean nothing.
  if (value === '' || (typeof value !== 'string' && value !== null && typeof value !== 'object'))
    yield `is ${renderJson(value)}`;
  if (value === null) yield 'is null';
}

/** Headers that are mentioned if they differ from what most requests have. */
const tellingHeaders = /^(accept|content-type|content-encoding|accept-encoding|expect)$/;
const usualHeaders = /^(accept|content-type): application\/json$/;

/**
 * Everything that distinguishes a request, in words that follow it, the most specific first: `in
 * which `name` is null`, `without a key`.
 */
function* conditionsOf({
  exchange: { request, intent, group },
  operation,
  expected,
  sent,
}: Reading): Generator<string> {
  for (const [name, value] of request.headers) {
    const header = `${name.toLowerCase()}: ${value}`;
    if (tellingHeaders.test(name.toLowerCase()) && !usualHeaders.test(header))
      yield `with the header \`${cutText(header)}\``;
  }
  if (intent.kind === 'invalid') yield `in which ${intent.way}`;
  if (request.credential !== 'valid') yield describeCredential(request.credential);
  const { body = '' } = request;
  if (operation?.requestBody === undefined) yield* [];
  else if (body === '') yield 'without a body';
  else if (sent === undefined) yield 'with a body that is not JSON';
  else if (!isJsonObject(sent)) yield 'with a body that is not an object';
  else {
    const schema = operation.requestBody.content.find((each) => each.schema)?.schema;
    const known = schema?.shape().properties ?? new Map<string, undefined>();
    for (const name of known.keys()) if (sent[name] === undefined) yield `without \`${name}\``;
    for (const [name, value] of Object.entries(sent)) {
      if (value === undefined) continue;
      if (!known.has(name)) yield `with the additional member \`${name}\``;
      if (known.get(name)?.shape().values !== undefined && typeof value === 'string')
        yield `in which \`${name}\` is "${cutText(value)}"`;
      for (const words of classesOf(value)) yield `in which \`${name}\` ${words}`;
    }
  }
  for (const [name, text] of new URLSearchParams(request.target.split('?')[1] ?? '')) {
    yield `with \`${name}=${cutText(text)}\``;
    yield `with \`${name}\` in the query`;
  }
  if (operation?.path.includes('{') === true) {
    const id = Object.values(pathValuesOf(operation, request.target)).at(-1) ?? '';
    for (const words of classesOf(/^-?\d{1,40}$/.test(id) ? BigInt(id) : (decodePercent(id) ?? id)))
      yield `in which the identifier in the path ${words}`;
  }
  if (group !== undefined) yield 'sent at the same time as others';
  if (intent.kind === 'beyond') yield 'sent with no requests remaining';
  if (expected === 404) yield 'for an identifier that does not exist';
  else if (expected !== undefined) yield `that should get ${expected}`;
}

export function hasCondition(reading: Reading, condition: string): boolean {
  return [...conditionsOf(reading)].includes(condition);
}

/** Requests that only a combination of more conditions distinguishes are not divided. */
const maxConditions = 3;

/**
 * Divides exchanges by what their requests have in common and no other request has. The few that
 * remain join the largest group. Empty if that does not explain most of them.
 */
export function divideByCondition(
  some: readonly Reading[],
  others: readonly Reading[],
): readonly { readonly condition: string; readonly readings: readonly Reading[] }[] {
  if (others.length === 0) return [];
  const elsewhere = new Set(others.flatMap((each) => [...conditionsOf(each)]));
  const classes: { readonly condition: string; readonly readings: readonly Reading[] }[] = [];
  let left = some;
  while (left.length > 0) {
    const own = left.flatMap((each) =>
      [...new Set(conditionsOf(each)).difference(elsewhere)].map((words) => ({ words, each })),
    );
    const [best] = [...Map.groupBy(own, ({ words }) => words)].toSorted(
      ([, one], [, other]) => other.length - one.length,
    );
    const readings = best?.[1].map(({ each }) => each) ?? [];
    // What distinguishes a single request may be chance.
    const isChance = readings.length < Math.min(2, some.length);
    if (best === undefined || isChance || classes.length === maxConditions) break;
    classes.push({ condition: best[0], readings });
    left = left.filter((each) => !readings.includes(each));
  }
  const [first, ...rest] = classes;
  if (first === undefined || left.length * 4 > some.length) return [];
  return [{ ...first, readings: [...first.readings, ...left] }, ...rest];
}
