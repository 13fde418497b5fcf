import { canonicalInteger } from '../../json/number.ts';
import { compareNumbers, isNumeric, type JsonValue } from '../../json/value.ts';
import { type Keyword, limitKeyword, type LimitKeyword, testKeyword } from './keyword.ts';

/** The end of a range of numbers. */
export interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
}

/**
 * The two keywords of one end of a range; the first shows the tighter of both in the shape. `words`:
 * `at least` and `more than`; `wrong`: what a value beyond the end is; `inwards`: 1 or -1.
 */
function boundKeywords(
  [name, exclusiveName]: readonly [inclusive: string, exclusive: string],
  words: readonly [inclusive: string, exclusive: string],
  wrong: string,
  inwards: number,
): readonly [inclusive: LimitKeyword<Bound>, exclusive: Keyword] {
  const keyword = (own: string, word: string, isExclusive: boolean): Keyword => ({
    name: own,
    takes: 'number',
    facet: name,
    judge: (place) => {
      const limit = isNumeric(place.value) ? place.value : 0;
      // JavaScript compares a number with a bigint by value, without rounding.
      const isBeyond = (value: JsonValue): boolean =>
        isNumeric(value) &&
        ((inwards > 0 ? value < limit : value > limit) || (isExclusive && value == limit));
      return testKeyword(place, isBeyond, () => `must be ${word} ${String(limit)}`);
    },
  });
  const isTighter = (one: Bound, other: Bound): boolean => {
    const order = inwards * compareNumbers(one.value, other.value);
    return order > 0 || (order === 0 && one.exclusive && !other.exclusive);
  };
  const inclusive = limitKeyword<Bound>(
    keyword(name, words[0], false),
    (parts) => {
      let tightest: Bound | undefined;
      for (const { schema } of parts)
        for (const exclusive of [false, true]) {
          const value = schema[exclusive ? exclusiveName : name];
          const bound = isNumeric(value) && { value, exclusive };
          if (bound && (tightest === undefined || isTighter(bound, tightest))) tightest = bound;
        }
      return tightest;
    },
    ({ value, exclusive }) => ({
      demand: `is ${words[exclusive ? 1 : 0]} ${value}`,
      edges: () =>
        exclusive
          ? []
          : [canonicalInteger(BigInt(typeof value === 'bigint' ? value : Math.trunc(value)))],
      wrong: () => [{ name: wrong, value: exclusive ? value : shift(value, -inwards), rank: 1 }],
    }),
  );
  return [inclusive, keyword(exclusiveName, words[1], true)];
}

function shift(value: number | bigint, by: number): JsonValue {
  return typeof value === 'bigint' ? value + BigInt(by) : value + by;
}

/** JSON Schema Validation, sections 6.2.2 and 6.2.3. */
export const [maximum, exclusiveMaximum] = boundKeywords(
  ['maximum', 'exclusiveMaximum'],
  ['at most', 'less than'],
  'just above the maximum',
  -1,
);

/** JSON Schema Validation, sections 6.2.4 and 6.2.5. */
export const [minimum, exclusiveMinimum] = boundKeywords(
  ['minimum', 'exclusiveMinimum'],
  ['at least', 'more than'],
  'just below the minimum',
  1,
);
