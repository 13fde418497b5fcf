import type { Code } from 'ajv';
import type { SchemaEngine } from '../../engine/engine.ts';
import { canonicalInteger } from '../../../json/number.ts';
import { compareNumbers, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Keyword, Limit, LimitKeyword } from '../keyword.ts';

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
  /** The operators that hold for values beyond it. */
  readonly beyond: (engine: SchemaEngine) => readonly [inclusive: Code, exclusive: Code];
  /** From the bound into the range. */
  readonly inwards: 1 | -1;
  /** In words: what a wrong value is. */
  readonly wrong: string;
}

/** The two keywords of one end of a range; the first shows the tighter of both in the shape. */
export function boundKeywords(
  row: BoundRow,
): readonly [inclusive: LimitKeyword<Bound>, exclusive: Keyword] {
  const { name, exclusiveName, words } = row;
  const facet = name;
  // JavaScript compares a number with a bigint by value, without rounding.
  const code =
    (side: 0 | 1): NonNullable<Keyword['code']> =>
    (context, engine) =>
      context.fail(
        engine._`${isNumeric(engine, context.data)} && ${context.data} ${row.beyond(engine)[side]} ${context.schemaValue}`,
      );
  return [
    {
      name,
      takes: 'number',
      code: code(0),
      message: ({ limit }) => `must be ${words[0]} ${String(limit)}`,
      facet,
      limit: (schemas) => limitOf(row, schemas),
    },
    {
      name: exclusiveName,
      takes: 'number',
      code: code(1),
      message: ({ limit }) => `must be ${words[1]} ${String(limit)}`,
      facet,
    },
  ];
}

/** The condition that a value is a number, of whatever size. */
export function isNumeric({ _ }: SchemaEngine, data: Code): Code {
  return _`(typeof ${data} == "number" || typeof ${data} == "bigint")`;
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
  return typeof value === 'number' || typeof value === 'bigint' ? [{ value, exclusive }] : [];
}

function shift(value: number | bigint, by: number): JsonValue {
  return typeof value === 'bigint' ? value + BigInt(by) : value + by;
}
