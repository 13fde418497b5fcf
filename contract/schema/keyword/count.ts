import { largest, smallest } from '../../list/list.ts';
import type { JsonValue } from '../../json/value.ts';
import type { LimitKeyword, WrongValue } from './keyword.ts';
import { renderCount } from './wording.ts';

/** What differs between the keywords that count characters, items or members. */
export interface CountRow {
  readonly name: string;
  readonly facet?: string;
  readonly side: 'at least' | 'at most';
  /** In the singular. */
  readonly noun: 'character' | 'item' | 'member';
  readonly edges?: (count: number) => readonly JsonValue[];
  readonly wrong: (count: number) => readonly WrongValue[];
}

/** A keyword that counts. Of several, the one that leaves the fewest values holds. */
export function countKeyword(row: CountRow): LimitKeyword<number> {
  const { name, side, noun, edges, wrong, ...rest } = row;
  return {
    ...rest,
    name,
    takes: 'count',
    message: ({ limit }) => `must have ${side} ${renderCount(limit, noun)}`,
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
