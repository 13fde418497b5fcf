import { largest, smallest } from '../../list/list.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { type LimitKeyword, testKeyword, type WrongValue } from './keyword.ts';
import { renderCount } from './wording.ts';

/** What differs between the keywords that count characters, items or members. */
interface CountRow {
  readonly name: string;
  readonly facet?: string;
  readonly side: 'at least' | 'at most';
  /** In the singular. */
  readonly noun: keyof typeof counters;
  readonly edges?: (count: number) => readonly JsonValue[];
  readonly wrong: (count: number) => readonly WrongValue[];
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
function countKeyword(row: CountRow): LimitKeyword<number> {
  const { name, side, noun, edges, wrong, ...rest } = row;
  return {
    ...rest,
    name,
    takes: 'count',
    judge: (place) => {
      const limit = Number(place.value);
      const count = counters[noun];
      const isWrong = (value: JsonValue): boolean => {
        const found = count(value, limit);
        return found !== undefined && (side === 'at least' ? found < limit : found > limit);
      };
      return testKeyword(place, isWrong, () => `must have ${side} ${renderCount(limit, noun)}`);
    },
    limit: (schemas) => {
      const counts = schemas.map((schema) => schema[name]).filter((one) => typeof one === 'number');
      if (counts.length === 0) return undefined;
      const count = side === 'at least' ? largest(counts) : smallest(counts);
      return {
        value: count,
        demand: `has ${side} ${count} ${noun}s`,
        edges: () => edges?.(count) ?? [],
        wrong: () => wrong(count),
      };
    },
  };
}

/** A text of a length, where that is short enough to be sent. */
const textOf = (count: number): readonly JsonValue[] => (count > 10_000 ? [] : ['a'.repeat(count)]);

/** JSON Schema Validation, section 6.3.1. Characters are code points. */
export const maxLength = countKeyword({
  name: 'maxLength',
  facet: 'max-length',
  side: 'at most',
  noun: 'character',
  edges: textOf,
  wrong: (count) =>
    count < 100_000
      ? [{ name: 'one character too long', value: 'a'.repeat(count + 1), rank: 1 }]
      : [],
});

/** JSON Schema Validation, section 6.3.2. */
export const minLength = countKeyword({
  name: 'minLength',
  facet: 'min-length',
  side: 'at least',
  noun: 'character',
  edges: textOf,
  wrong: (count) => {
    if (count === 0) return [];
    return count > 10_000
      ? [{ name: 'a text too short', value: 'a', rank: 1 }]
      : [{ name: 'one character too short', value: 'a'.repeat(count - 1), rank: 1 }];
  },
});

/** JSON Schema Validation, section 6.4.1. */
export const maxItems = countKeyword({
  name: 'maxItems',
  facet: 'max-items',
  side: 'at most',
  noun: 'item',
  wrong: (count) =>
    count < 1000
      ? [
          {
            name: 'an array with too many items',
            value: Array.from({ length: count + 1 }, (_one, index) => `v${index}`),
            rank: 2,
          },
        ]
      : [],
});

/** JSON Schema Validation, section 6.4.2. */
export const minItems = countKeyword({
  name: 'minItems',
  facet: 'min-items',
  side: 'at least',
  noun: 'item',
  wrong: (count) =>
    count === 0 ? [] : [{ name: 'an array with too few items', value: [], rank: 1 }],
});

/** JSON Schema Validation, section 6.5.1. */
export const maxProperties = countKeyword({
  name: 'maxProperties',
  side: 'at most',
  noun: 'member',
  edges: (count) => (count === 0 ? [{}] : []),
  wrong: (count) =>
    count < 1000
      ? [
          {
            name: 'an object with too many members',
            value: Object.fromEntries(
              Array.from({ length: count + 1 }, (_one, index) => [`v${index}`, index]),
            ),
            rank: 2,
          },
        ]
      : [],
});

/** JSON Schema Validation, section 6.5.2. */
export const minProperties = countKeyword({
  name: 'minProperties',
  side: 'at least',
  noun: 'member',
  wrong: (count) =>
    count === 0 ? [] : [{ name: 'an object with too few members', value: {}, rank: 1 }],
});
