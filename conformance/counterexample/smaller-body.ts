import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';

/** What guides the search for a smaller value. */
export interface ShrinkHints {
  /** Text that has to stay in the texts that hold it: the tag of the run. */
  readonly keep: string;
  /** The member that the requirement speaks of; undefined where it names none. */
  readonly member: string | undefined;
  /** What came back by member: where it differs from what was sent lies the cause. */
  readonly received: JsonObject;
  /** Members that may be left out. */
  readonly isOptional: (member: string) => boolean;
}

/** Smaller bodies, the largest steps first. None is checked against a schema here. */
export function* smallerBodies(body: JsonObject, hints: ShrinkHints): Generator<JsonObject> {
  const { member, isOptional } = hints;
  const names = Object.keys(body);
  const others = names.filter((name) => name !== member);
  if (member !== undefined && Object.hasOwn(body, member))
    yield onlyWith(body, (name) => name === member || !isOptional(name), others, hints.keep);
  yield onlyWith(body, (name) => !isOptional(name), [], hints.keep);
  for (const name of names.filter(isOptional))
    yield onlyWith(body, (each) => each !== name, [], hints.keep);
  for (const name of [...names.filter((each) => each === member), ...others]) {
    const value = body[name];
    if (value === undefined) continue;
    for (const smaller of smallerValues(value, hints.keep, hints.received[name]))
      yield { ...body, [name]: smaller };
  }
}

/** The body with some members left out and some made as simple as can be. */
function onlyWith(
  body: JsonObject,
  isSaved: (name: string) => boolean,
  simplified: readonly string[],
  keep: string,
): JsonObject {
  const saved = Object.entries(body).filter(([name]) => isSaved(name));
  return Object.fromEntries(
    saved.map(([name, value]) => [
      name,
      value !== undefined && simplified.includes(name) ? simplest(value, keep) : value,
    ]),
  );
}

function simplest(value: JsonValue, keep: string): JsonValue {
  if (typeof value === 'string') return keep !== '' && value.includes(keep) ? keep : value;
  return isJsonArray(value) ? [] : value;
}

export function* smallerValues(
  value: JsonValue,
  keep: string,
  received?: JsonValue,
): Generator<JsonValue> {
  if (typeof value === 'string')
    yield* smallerTexts(value, keep, typeof received === 'string' ? received : undefined);
  else if (typeof value === 'number' || typeof value === 'bigint') yield* smallerNumbers(value);
  else if (isJsonArray(value)) yield* smallerArrays(value, keep);
  else if (isJsonObject(value))
    yield* smallerBodies(value, { keep, member: undefined, received: {}, isOptional: () => true });
}

function* smallerNumbers(value: number | bigint): Generator<JsonValue> {
  if (value === 0 || value === 1) return;
  yield 0;
  yield 1;
  if (typeof value === 'number' && !Number.isInteger(value)) {
    yield Math.trunc(value);
    yield Math.round(value * 10) / 10;
    return;
  }
  const whole = BigInt(value);
  for (let part = whole / 2n; part !== 0n; part /= 2n) yield fromInteger(whole - part);
}

function fromInteger(value: bigint): JsonValue {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;
}

/** A size, the half of it, rounded up, and so on down to 1. */
export function halvings(size: number): readonly number[] {
  if (size <= 1) return size === 1 ? [1] : [];
  return [size, ...halvings(Math.ceil(size / 2))];
}

function* smallerArrays(items: readonly JsonValue[], keep: string): Generator<JsonValue> {
  for (const size of halvings(items.length)) {
    for (let start = 0; start < items.length; start += size)
      yield [...items.slice(0, start), ...items.slice(start + size)];
  }
  for (const [index, item] of items.entries()) {
    for (const smaller of smallerValues(item, keep))
      yield items.map((each, at) => (at === index ? smaller : each));
  }
}

/** What came back differently alone, then ever smaller stretches, then the text without them. */
function* smallerTexts(
  text: string,
  keep: string,
  received: string | undefined,
): Generator<string> {
  const at = keep === '' ? -1 : text.indexOf(keep);
  const before = Array.from(at < 0 ? text : text.slice(0, at));
  const after = Array.from(at < 0 ? '' : text.slice(at + keep.length));
  const saved = at < 0 ? '' : keep;
  const join = (part: readonly Piece[]): string =>
    [
      ...part.filter((each) => each.index < before.length).map((each) => each.text),
      saved,
      ...part.filter((each) => each.index >= before.length).map((each) => each.text),
    ].join('');
  const pieces = [...before, ...after].map((piece, index) => ({ text: piece, index }));
  if (pieces.length === 0) return;
  if (received !== undefined) yield* differingPart(pieces, text, received, join);
  yield join([]);
  const sizes = halvings(Math.ceil(pieces.length / 2));
  for (const size of pieces.length > 1 ? sizes : []) {
    for (let start = 0; start < pieces.length; start += size)
      yield join(pieces.slice(start, start + size));
  }
  for (const size of pieces.length > 2 ? sizes : []) {
    for (let start = 0; start < pieces.length; start += size)
      yield join([...pieces.slice(0, start), ...pieces.slice(start + size)]);
  }
}

/** One character of a text, with its place among those that may be left out. */
interface Piece {
  readonly text: string;
  readonly index: number;
}

function* differingPart(
  pieces: readonly Piece[],
  text: string,
  received: string,
  join: (part: readonly Piece[]) => string,
): Generator<string> {
  const sent = Array.from(text);
  const came = Array.from(received);
  const first = sent.findIndex((character, index) => character !== came[index]);
  if (first < 0) return;
  let tail = 0;
  while (tail < sent.length - first && sent.at(-1 - tail) === came.at(-1 - tail)) tail += 1;
  const stretch = new Set(sent.slice(first, Math.max(first + 1, sent.length - tail)));
  const narrow = pieces.filter((piece) => stretch.has(piece.text));
  const [start] = narrow;
  if (start === undefined || narrow.length >= pieces.length) return;
  yield join([start]);
  yield join(narrow);
}
