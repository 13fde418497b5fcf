import { largest } from '../list/list.ts';
import type { PatternNode } from './syntax.ts';

/** The most steps of backtracking, by the number of characters of a text. */
export type PatternCost = (length: number) => number;

/** Counts of a repetition from which on it is taken for unbounded. */
const manyTimes = 10;

/**
 * An upper bound of what `test` of `RegExp` takes: an unbounded repetition multiplies the ways by the
 * length, and another repetition or a choice within one makes them exponential. On each way, what has
 * a fixed count is gone through once.
 */
export function measureCost(tree: PatternNode): PatternCost {
  const turns = 1 + countTurns(tree);
  const isEverywhere = !isAnchored(tree);
  const longest = hasLook(tree) ? Infinity : tree.max;
  return (length) => {
    const most = Math.min(length, longest) + 1;
    const starts = isEverywhere ? length + 1 : 1;
    const ways = countWays(tree, most, false);
    const fixed = Math.min(most, Math.max(1, tree.min));
    return turns * starts * Math.max(most, ways > 1 ? ways * fixed : 1);
  };
}

/** Ways through a text of a length. `isLooped`: within an unbounded repetition. */
function countWays(node: PatternNode, length: number, isLooped: boolean): number {
  switch (node.kind) {
    case 'character':
    case 'assertion':
      return 1;
    case 'backreference':
      return isLooped ? Infinity : length;
    case 'group':
    case 'look':
      return countWays(node.node, length, isLooped);
    case 'choice': {
      if (node.nodes.every(({ kind }) => kind === 'character')) return 1;
      const ways = node.nodes.map((one) => countWays(one, length, isLooped));
      return isLooped ? Infinity : node.nodes.length * largest(ways);
    }
    case 'sequence': {
      const ways = node.nodes.map((one) => countWays(one, length, isLooped));
      // What is looked at from the start is looked at once.
      const heads = node.nodes.findIndex(({ kind }) => kind !== 'look' && kind !== 'assertion');
      const looks = ways.splice(0, heads === -1 ? ways.length : heads);
      return largest(
        looks,
        ways.reduce((product, one) => product * one, 1),
      );
    }
    case 'repeat': {
      const { least, most } = node;
      if (most === 0) return 1;
      const isLoop = most > manyTimes;
      const inner = countWays(node.node, length, isLooped || isLoop);
      if ((isLooped && most > least) || (isLoop && node.node.min === 0)) return Infinity;
      if (isLoop) return most > least ? inner * length : inner;
      return inner ** most * (most - least + 1);
    }
  }
}

/** Whether it is tried at the start of a text only. */
function isAnchored(node: PatternNode): boolean {
  if (node.kind === 'assertion') return node.source === '^';
  if (node.kind === 'group') return isAnchored(node.node);
  if (node.kind === 'choice') return node.nodes.every(isAnchored);
  return node.kind === 'sequence' && node.nodes[0] !== undefined && isAnchored(node.nodes[0]);
}

/** How many parts may be tried in vain at one character. */
function countTurns(node: PatternNode): number {
  const own = node.kind === 'choice' ? node.nodes.length : 0;
  if ('nodes' in node) return node.nodes.reduce((sum, one) => sum + countTurns(one), own);
  return 'node' in node ? 1 + countTurns(node.node) : 0;
}

/** Whether it looks at characters that it does not take. */
function hasLook(node: PatternNode): boolean {
  if (node.kind === 'look' || node.kind === 'backreference') return true;
  if ('nodes' in node) return node.nodes.some(hasLook);
  return 'node' in node && hasLook(node.node);
}
