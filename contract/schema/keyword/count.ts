import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { hasUniqueItems } from './equality.ts';
import { type Keyword, testKeyword, type WrongValue } from './keyword.ts';
import { renderCount } from './wording.ts';

/** What keywords count, in the singular. */
type Noun = 'character' | 'item' | 'member';

interface Counted {
  /** Counts no further than it must; undefined for a value that the keywords are not about. */
  readonly count: (value: JsonValue, limit: number) => number | undefined;
  readonly make: (count: number) => JsonValue;
  /** Up to so many can be sent. */
  readonly most: number;
  /** What a value with too many is, and how telling that is. */
  readonly long: Pick<WrongValue, 'name' | 'rank'>;
}

const namesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_one, index) => `v${index}`);

const counted: Readonly<Record<Noun, Counted>> = {
  character: {
    count: (value, limit) =>
      typeof value === 'string' ? countCharacters(value, limit) : undefined,
    make: (count) => 'a'.repeat(count),
    most: 100_000,
    long: { name: 'one character too long', rank: 1 },
  },
  item: {
    count: (value) => (isJsonArray(value) ? value.length : undefined),
    make: namesOf,
    most: 1000,
    long: { name: 'an array with too many items', rank: 2 },
  },
  member: {
    count: (value) => (isJsonObject(value) ? Object.keys(value).length : undefined),
    make: (count) => Object.fromEntries(namesOf(count).map((name, index) => [name, index])),
    most: 1000,
    long: { name: 'an object with too many members', rank: 2 },
  },
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

function countKeyword(
  name: `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`,
  noun: Noun,
  facet?: string,
): Keyword {
  const isLeast = name.startsWith('min');
  const side = isLeast ? 'at least' : 'at most';
  return {
    name,
    takes: 'count',
    ...(facet !== undefined && { facet }),
    judge: (place) => {
      const limit = Number(place.value);
      const { count } = counted[noun];
      const isWrong = (value: JsonValue): boolean => {
        const found = count(value, limit);
        return found !== undefined && (isLeast ? found < limit : found > limit);
      };
      return testKeyword(place, isWrong, () => `must have ${side} ${renderCount(limit, noun)}`);
    },
    limit: ({ [name]: count }) =>
      count === undefined
        ? undefined
        : {
            demand: `has ${side} ${count} ${noun}s`,
            edges: () => listEdges(noun, count),
            wrong: () => (isLeast ? listShort(noun, count) : listLong(noun, count)),
          },
  };
}

function listEdges(noun: Noun, count: number): readonly JsonValue[] {
  const isMade = noun === 'character' ? count <= 10_000 : noun === 'member' && count === 0;
  return isMade ? [counted[noun].make(count)] : [];
}

function listLong(noun: Noun, count: number): readonly WrongValue[] {
  const { make, most, long } = counted[noun];
  return count < most ? [{ ...long, value: make(count + 1) }] : [];
}

function listShort(noun: Noun, count: number): readonly WrongValue[] {
  if (count === 0) return [];
  if (noun === 'item') return [{ name: 'an array with too few items', value: [], rank: 1 }];
  if (noun === 'member') return [{ name: 'an object with too few members', value: {}, rank: 1 }];
  return count > 10_000
    ? [{ name: 'a text too short', value: 'a', rank: 1 }]
    : [{ name: 'one character too short', value: 'a'.repeat(count - 1), rank: 1 }];
}

/** JSON Schema Validation, sections 6.3.1 and 6.3.2. Characters are code points. */
export const maxLength = countKeyword('maxLength', 'character', 'max-length');
export const minLength = countKeyword('minLength', 'character', 'min-length');

/** JSON Schema Validation, sections 6.4.1 and 6.4.2. */
export const maxItems = countKeyword('maxItems', 'item', 'max-items');
export const minItems = countKeyword('minItems', 'item', 'min-items');

/** JSON Schema Validation, sections 6.5.1 and 6.5.2. */
export const maxProperties = countKeyword('maxProperties', 'member');
export const minProperties = countKeyword('minProperties', 'member');

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
