import { canonicalInteger } from '../../json/number.ts';
import { compareNumbers, isNumeric, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Keyword, type Limit, type LimitKeyword, testKeyword } from './keyword.ts';

/** The end of a range of numbers. */
export interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
}

interface BoundRow {
  /** `minimum` or `maximum`: what requirements call both. */
  readonly name: string;
  readonly exclusiveName: string;
  /** `at least`, `more than`. */
  readonly words: readonly [inclusive: string, exclusive: string];
  /** From the bound into the range. */
  readonly inwards: 1 | -1;
  /** In words: what a wrong value is. */
  readonly wrong: string;
}

/** The two keywords of one end of a range; the first shows the tighter of both in the shape. */
function boundKeywords(
  row: BoundRow,
): readonly [inclusive: LimitKeyword<Bound>, exclusive: Keyword] {
  const { name, exclusiveName, words, inwards } = row;
  const judge =
    (word: string, isExclusive: boolean): NonNullable<Keyword['judge']> =>
    (place) => {
      const limit = isNumeric(place.value) ? place.value : 0;
      // JavaScript compares a number with a bigint by value, without rounding.
      const isBeyond = (value: JsonValue): boolean =>
        isNumeric(value) &&
        ((inwards > 0 ? value < limit : value > limit) || (isExclusive && value == limit));
      return testKeyword(place, isBeyond, () => `must be ${word} ${String(limit)}`);
    };
  return [
    {
      name,
      takes: 'number',
      judge: judge(words[0], false),
      facet: name,
      limit: (schemas) => limitOf(row, schemas),
    },
    { name: exclusiveName, takes: 'number', judge: judge(words[1], true), facet: name },
  ];
}

function limitOf(row: BoundRow, schemas: readonly JsonObject[]): Limit<Bound> | undefined {
  const bounds = schemas.flatMap((schema) => [
    ...boundOf(schema[row.name], false),
    ...boundOf(schema[row.exclusiveName], true),
  ]);
  const [bound] = bounds.toSorted(
    (left, right) =>
      row.inwards * compareNumbers(right.value, left.value) ||
      Number(right.exclusive) - Number(left.exclusive),
  );
  if (bound === undefined) return undefined;
  const { value, exclusive } = bound;
  return {
    value: bound,
    demand: `is ${row.words[exclusive ? 1 : 0]} ${value}`,
    edges: () =>
      exclusive
        ? []
        : [canonicalInteger(BigInt(typeof value === 'bigint' ? value : Math.trunc(value)))],
    wrong: () => [
      { name: row.wrong, value: exclusive ? value : shift(value, -row.inwards), rank: 1 },
    ],
  };
}

function boundOf(value: JsonValue | undefined, exclusive: boolean): readonly Bound[] {
  return isNumeric(value) ? [{ value, exclusive }] : [];
}

function shift(value: number | bigint, by: number): JsonValue {
  return typeof value === 'bigint' ? value + BigInt(by) : value + by;
}

/** JSON Schema Validation, sections 6.2.2 and 6.2.3. */
export const [maximum, exclusiveMaximum] = boundKeywords({
  name: 'maximum',
  exclusiveName: 'exclusiveMaximum',
  words: ['at most', 'less than'],
  inwards: -1,
  wrong: 'just above the maximum',
});

/** JSON Schema Validation, sections 6.2.4 and 6.2.5. */
export const [minimum, exclusiveMinimum] = boundKeywords({
  name: 'minimum',
  exclusiveName: 'exclusiveMinimum',
  words: ['at least', 'more than'],
  inwards: 1,
  wrong: 'just below the minimum',
});
