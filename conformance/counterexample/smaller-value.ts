import * as fc from 'fast-check';
import { canonicalInteger } from '../../contract/json/number.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../contract/json/value.ts';

/** What guides the search for a smaller body. */
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

/**
 * Bodies to try before the search of fast-check, as each may do for many of its steps: nothing but the
 * member in question, nothing that is optional, of texts what came back otherwise.
 */
export function* leaps(body: JsonObject, hints: ShrinkHints): Generator<JsonObject> {
  const { keep, member = '', received, isOptional } = hints;
  const needed = Object.entries(body).filter(([name]) => !isOptional(name));
  if (Object.hasOwn(body, member)) {
    const others = needed.map(([name, value]) => [name, simplest(value ?? null, keep)] as const);
    yield { ...Object.fromEntries(others), [member]: body[member] };
  }
  yield Object.fromEntries(needed);
  for (const [name, sent] of Object.entries(body))
    if (typeof sent === 'string')
      for (const part of differingParts(sent, keep, received[name]))
        yield { ...body, [name]: part };
}

function simplest(value: JsonValue, keep: string): JsonValue {
  if (typeof value === 'string') return keep !== '' && value.includes(keep) ? keep : value;
  return isJsonArray(value) ? [] : value;
}

/** The first character of a text that came back otherwise, then all up to the last one. */
function differingParts(
  text: string,
  keep: string,
  received: JsonValue | undefined,
): readonly string[] {
  const [sent, came] = [
    Array.from(text),
    Array.from(typeof received === 'string' ? received : text),
  ];
  const first = sent.findIndex((character, index) => character !== came[index]);
  if (first === -1) return [];
  let tail = 0;
  while (tail < sent.length - first && sent.at(-1 - tail) === came.at(-1 - tail)) tail += 1;
  const stretch = sent.slice(first, Math.max(first + 1, sent.length - tail)).join('');
  const isBefore = sent.slice(0, first).join('').length < text.indexOf(keep);
  return [sent[first] ?? '', stretch.replace(keep, '')].map((part) =>
    withTag(part, text, keep, isBefore),
  );
}

function withTag(part: string, text: string, keep: string, isBefore: boolean): string {
  const saved = text.includes(keep) ? keep : '';
  return isBefore ? part + saved : saved + part;
}

/** A value that is not made smaller. */
class Atom<T> extends fc.Arbitrary<T> {
  readonly #isAtom: (value: unknown) => value is T;
  constructor(isAtom: (value: unknown) => value is T) {
    super();
    this.#isAtom = isAtom;
  }
  override generate(): never {
    throw new Error('This arbitrary only shrinks.');
  }
  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#isAtom(value);
  }
  override shrink(): fc.Stream<fc.Value<T>> {
    return fc.Stream.nil();
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCharacter = (value: unknown): value is string => isText(value) && value.length <= 2;
const isJson = (_value: unknown): _value is JsonValue => true;

/** Shrinks any JSON value, whoever made it: texts by their characters, which stay what they are. */
export function shrinkable(keep: string): fc.Arbitrary<JsonValue> {
  const text = fc.string({ unit: new Atom(isCharacter) });
  const integer = fc.bigInt().map(canonicalInteger, (value) => BigInt(asNumber(value)));
  const decimal = fc.maxSafeInteger().map(
    (value): JsonValue => value / 1000,
    (value) => asWhole(Number(asNumber(value)) * 1000),
  );
  const around = fc.tuple(text, text).map(
    // What follows the tag is longer as a rule: it is shrunk first.
    ([after, before]) => before + keep + after,
    (value) => {
      if (!isText(value) || keep === '' || !value.includes(keep)) throw new Error('no tag');
      const at = value.indexOf(keep);
      return [value.slice(at + keep.length), value.slice(0, at)];
    },
  );
  return fc.letrec<{ json: JsonValue }>((tie) => ({
    json: fc.oneof(
      fc.boolean(),
      integer,
      decimal,
      around,
      text,
      fc.array(tie('json')),
      fc.dictionary(new Atom(isText), tie('json')),
      new Atom(isJson),
    ),
  })).json;
}

/** For `unmapper`s, which refuse by throwing. */
function asNumber(value: unknown): number | bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  throw new Error('no number');
}

function asWhole(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new Error('too many decimals');
}
