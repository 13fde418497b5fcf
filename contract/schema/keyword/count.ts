import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { hasUniqueItems } from './equality.ts';
import { type Keyword, testKeyword, type WrongValue } from './keyword.ts';
import { renderCount } from './wording.ts';

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

/** What differs between the keywords that count characters, items or members. */
interface CountRow {
  readonly name: `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`;
  readonly facet?: string;
  /** In the singular. */
  readonly noun: keyof typeof counters;
  readonly edges?: (count: number) => readonly JsonValue[];
  /** A value just invalid. For a least count, of one from 1 on. */
  readonly wrong: (count: number) => WrongValue | undefined;
}

function countKeyword({ noun, edges, wrong, ...row }: CountRow): Keyword {
  const isLeast = row.name.startsWith('min');
  const side = isLeast ? 'at least' : 'at most';
  return {
    ...row,
    takes: 'count',
    judge: (place) => {
      const limit = Number(place.value);
      const count = counters[noun];
      const isWrong = (value: JsonValue): boolean => {
        const found = count(value, limit);
        return found !== undefined && (isLeast ? found < limit : found > limit);
      };
      return testKeyword(place, isWrong, () => `must have ${side} ${renderCount(limit, noun)}`);
    },
    limit: ({ [row.name]: count }) => {
      if (count === undefined) return undefined;
      return {
        demand: `has ${side} ${count} ${noun}s`,
        edges: () => edges?.(count) ?? [],
        wrong: () => (isLeast && count === 0 ? [] : [wrong(count) ?? []].flat()),
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
  noun: 'character',
  edges: textOf,
  wrong: (count) =>
    count < 100_000
      ? { name: 'one character too long', value: 'a'.repeat(count + 1), rank: 1 }
      : undefined,
});

/** JSON Schema Validation, section 6.3.2. */
export const minLength = countKeyword({
  name: 'minLength',
  facet: 'min-length',
  noun: 'character',
  edges: textOf,
  wrong: (count) =>
    count > 10_000
      ? { name: 'a text too short', value: 'a', rank: 1 }
      : { name: 'one character too short', value: 'a'.repeat(count - 1), rank: 1 },
});

/** Too many, where those can be sent. */
const many = (count: number): readonly string[] | undefined =>
  count < 1000 ? Array.from({ length: count + 1 }, (_one, index) => `v${index}`) : undefined;

/** JSON Schema Validation, section 6.4.1. */
export const maxItems = countKeyword({
  name: 'maxItems',
  facet: 'max-items',
  noun: 'item',
  wrong: (count) => {
    const value = many(count);
    return value && { name: 'an array with too many items', value, rank: 2 };
  },
});

/** JSON Schema Validation, section 6.4.2. */
export const minItems = countKeyword({
  name: 'minItems',
  facet: 'min-items',
  noun: 'item',
  wrong: () => ({ name: 'an array with too few items', value: [], rank: 1 }),
});

/** JSON Schema Validation, section 6.5.1. */
export const maxProperties = countKeyword({
  name: 'maxProperties',
  noun: 'member',
  edges: (count) => (count === 0 ? [{}] : []),
  wrong: (count) => {
    const members = many(count)?.map((name, index) => [name, index] as const);
    const value = members && Object.fromEntries(members);
    return value && { name: 'an object with too many members', value, rank: 2 };
  },
});

/** JSON Schema Validation, section 6.5.2. */
export const minProperties = countKeyword({
  name: 'minProperties',
  noun: 'member',
  wrong: () => ({ name: 'an object with too few members', value: {}, rank: 1 }),
});

/** JSON Schema Validation, section 6.4.3. */
export const uniqueItems: Keyword = {
  name: 'uniqueItems',
  takes: 'flag',
  facet: 'unique-items',
  judge: (place) =>
    place.value === true
      ? testKeyword(
          place,
          (value) => isJsonArray(value) && !hasUniqueItems(value),
          () => 'must not have two equal items',
        )
      : undefined,
  limit: ({ uniqueItems: isUnique }) =>
    isUnique ? { demand: 'has no duplicate items' } : undefined,
};
