import type { PatternNode } from './syntax.ts';

/** States of a pattern that is matched in linear time, its quantifiers counted out. */
export const mostPatternStates = 10_000;

/** How many states a pattern has, its quantifiers counted out. */
export function countStates(node: PatternNode): number {
  switch (node.kind) {
    case 'sequence':
    case 'choice':
      return node.nodes.reduce((sum, one) => sum + 1 + countStates(one), 1);
    case 'repeat': {
      const { min, max } = node;
      return (1 + countStates(node.node)) * Math.max(1, max === Infinity ? min + 1 : max);
    }
    case 'group':
    case 'look':
      return 1 + countStates(node.node);
    case 'character':
    case 'assertion':
    case 'backreference':
      return 1;
  }
}
