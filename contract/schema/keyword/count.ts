import { largest, smallest } from '../../list/list.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { limitKeyword, type LimitKeyword, testKeyword, type WrongValue } from './keyword.ts';
import { renderCount } from './wording.ts';

/** What differs between the keywords that count characters, items or members. */
interface CountRow {
  readonly name: string;
  readonly facet?: string;
  readonly side: 'at least' | 'at most';
  /** In the singular. */
  readonly noun: keyof typeof counters;
  readonly edges?: (count: number) => readonly JsonValue[];
  /** In words, what has too few or too many, and such a value. */
  readonly wrong: readonly [name: string, make: (count: number) => JsonValue];
  readonly rank: number;
  /** Of larger counts, no wrong value is made. Default: of all one is made. */
  readonly mostCount?: number;
}

/** Counts no further than it must; undefined for a value that the keywords are not about. */
const counters = {
  character: (value: JsonValue, limit: number) =>
    typeof value === 'string' ? countCharacters(value, limit) : undefined,
  item: (value: JsonValue) => (isJsonArray(value) ? value.length : undefined),
  member: (value: JsonValue) => (isJsonObject(value) ? Object.keys(value).length : undefined),
};

/** Code points. A text of `length` units has between half as many and `length` of them. */
function countCharacters(text: string, limit: number): number {
  const { length } = text;
  if (length < limit || length > 2 * limit + 1) return length < limit ? length : limit + 1;
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    count += 1;
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1;
  }
  return count;
}

/** A keyword that counts. Of several, the one that leaves the fewest values holds. */
function countKeyword({
  name,
  facet,
  side,
  noun,
  edges,
  wrong: [wrongName, makeWrong],
  rank,
  mostCount = Infinity,
}: CountRow): LimitKeyword<number> {
  const isLeast = side === 'at least';
  const listWrong = (count: number): readonly WrongValue[] =>
    count > mostCount || (isLeast && count === 0)
      ? []
      : [{ name: wrongName, value: makeWrong(count), rank }];
  return limitKeyword(
    {
      name,
      takes: 'count',
      ...(facet !== undefined && { facet }),
      judge: (place) => {
        const limit = Number(place.value);
        const count = counters[noun];
        const isWrong = (value: JsonValue): boolean => {
          const found = count(value, limit);
          return found !== undefined && (isLeast ? found < limit : found > limit);
        };
        return testKeyword(place, isWrong, () => `must have ${side} ${renderCount(limit, noun)}`);
      },
    },
    (parts) => {
      const counts = parts
        .map(({ schema }) => schema[name])
        .filter((one) => typeof one === 'number');
      if (counts.length === 0) return undefined;
      return isLeast ? largest(counts) : smallest(counts);
    },
    (count) => ({
      demand: `has ${side} ${count} ${noun}s`,
      edges: () => edges?.(count) ?? [],
      wrong: () => listWrong(count),
    }),
  );
}

/** The longest text that is sent to show a limit. */
const longestShown = 10_000;

/** A text of a length, where that is short enough to be sent. */
const textOf = (count: number): readonly JsonValue[] =>
  count > longestShown ? [] : ['a'.repeat(count)];

/** JSON Schema Validation, section 6.3.1. Characters are code points. */
export const maxLength = countKeyword({
  name: 'maxLength',
  facet: 'max-length',
  side: 'at most',
  noun: 'character',
  edges: textOf,
  wrong: ['one character too long', (count) => 'a'.repeat(count + 1)],
  rank: 1,
  mostCount: 99_999,
});

/** JSON Schema Validation, section 6.3.2. */
export const minLength = countKeyword({
  name: 'minLength',
  facet: 'min-length',
  side: 'at least',
  noun: 'character',
  edges: textOf,
  wrong: ['one character too short', (count) => 'a'.repeat(Math.min(count - 1, longestShown))],
  rank: 1,
});

/** JSON Schema Validation, section 6.4.1. */
export const maxItems = countKeyword({
  name: 'maxItems',
  facet: 'max-items',
  side: 'at most',
  noun: 'item',
  wrong: [
    'an array with too many items',
    (count) => Array.from({ length: count + 1 }, (_one, index) => `v${index}`),
  ],
  rank: 2,
  mostCount: 999,
});

/** JSON Schema Validation, section 6.4.2. */
export const minItems = countKeyword({
  name: 'minItems',
  facet: 'min-items',
  side: 'at least',
  noun: 'item',
  wrong: ['an array with too few items', () => []],
  rank: 1,
});

/** JSON Schema Validation, section 6.5.1. */
export const maxProperties = countKeyword({
  name: 'maxProperties',
  side: 'at most',
  noun: 'member',
  edges: (count) => (count === 0 ? [{}] : []),
  wrong: [
    'an object with too many members',
    (count) => Object.fromEntries(Array.from({ length: count + 1 }, (_one, at) => [`v${at}`, at])),
  ],
  rank: 2,
  mostCount: 999,
});

/** JSON Schema Validation, section 6.5.2. */
export const minProperties = countKeyword({
  name: 'minProperties',
  side: 'at least',
  noun: 'member',
  wrong: ['an object with too few members', () => ({})],
  rank: 1,
});
