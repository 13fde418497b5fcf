import { largest, smallest } from '../../list/list.ts';
import type { PatternNode } from './syntax.ts';

/** Lengths of texts, in code points. */
export interface LengthRange {
  readonly min: number;
  readonly max: number;
}

/** The lengths of the texts that nodes stand for, each node read once. */
export function createMeasure(): (node: PatternNode) => LengthRange {
  const known = new Map<PatternNode, LengthRange>();
  return measure;

  function measure(node: PatternNode): LengthRange {
    const range = known.get(node) ?? read(node);
    known.set(node, range);
    return range;
  }

  function read(node: PatternNode): LengthRange {
    switch (node.kind) {
      case 'character':
        return { min: 1, max: 1 };
      case 'group':
        return measure(node.node);
      case 'repeat': {
        const { min, max } = measure(node.node);
        return { min: min * node.min, max: max === 0 ? 0 : max * node.max };
      }
      case 'sequence':
        return sumLengths(node.nodes.map(measure));
      case 'choice': {
        const ranges = node.nodes.map(measure);
        return {
          min: smallest(ranges.map(({ min }) => min)),
          max: largest(ranges.map(({ max }) => max)),
        };
      }
      case 'backreference':
      case 'assertion':
      case 'look':
        return { min: 0, max: 0 };
    }
  }
}

/** The lengths of what follows one another. */
export function sumLengths(ranges: readonly LengthRange[]): LengthRange {
  return ranges.reduce((one, other) => ({ min: one.min + other.min, max: one.max + other.max }), {
    min: 0,
    max: 0,
  });
}
