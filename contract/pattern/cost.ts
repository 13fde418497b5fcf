import { createMeasure, type PatternNode } from './syntax.ts';

/** The most steps of backtracking, by the number of characters of a text. */
export type PatternCost = (length: number) => number;

/** The ways that backtracking has through a part: `2 ** constant * length ** degree`. */
interface Ways {
  readonly degree: number;
  readonly constant: number;
}

/** Counts of a repetition from which on it is taken for unbounded. */
const manyTimes = 10;

const oneWay: Ways = { degree: 0, constant: 0 };
const countless: Ways = { degree: 0, constant: Infinity };

/**
 * An upper bound of what `test` of `RegExp` takes: an unbounded repetition multiplies the ways by the
 * length, and another repetition or a choice within one makes them exponential.
 */
export function measureCost(tree: PatternNode): PatternCost {
  const lengthOf = createMeasure();
  const { degree, constant } = measure(tree, false);
  const starts = isAnchored(tree) ? 0 : 1;
  const factor = (1 + countTurns(tree)) * 2 ** constant;
  const longest = hasLook(tree) ? Infinity : lengthOf(tree).max;
  return (length) =>
    factor * (length + 1) ** starts * (Math.min(length, longest) + 1) ** Math.max(1, degree);

  /** `isLooped`: it is within an unbounded repetition. */
  function measure(node: PatternNode, isLooped: boolean): Ways {
    switch (node.kind) {
      case 'character':
      case 'assertion':
        return oneWay;
      case 'backreference':
        return isLooped ? countless : { degree: 1, constant: 0 };
      case 'group':
      case 'look':
        return measure(node.node, isLooped);
      case 'choice': {
        if (node.nodes.every(({ kind }) => kind === 'character')) return oneWay;
        const inner = node.nodes.map((one) => measure(one, isLooped)).reduce(worse, oneWay);
        const own = { degree: 0, constant: Math.log2(node.nodes.length) };
        return isLooped ? countless : multiply(inner, own);
      }
      case 'sequence': {
        const parts = node.nodes.map((part) => measure(part, isLooped));
        // What is looked at from the start is looked at once.
        const heads = node.nodes.findIndex(({ kind }) => kind !== 'look' && kind !== 'assertion');
        const looks = parts.splice(0, heads === -1 ? parts.length : heads);
        return worse(looks.reduce(worse, oneWay), parts.reduce(multiply, oneWay));
      }
      case 'repeat': {
        const { min, max } = node;
        const isLoop = max > manyTimes;
        const inner = measure(node.node, isLooped || isLoop);
        if (max > min && isLooped) return countless;
        if (isLoop)
          return lengthOf(node.node).min === 0
            ? countless
            : multiply(inner, { degree: max > min ? 1 : 0, constant: 0 });
        const times = { degree: inner.degree * max, constant: inner.constant * max };
        return max === 0
          ? oneWay
          : multiply(times, { degree: 0, constant: Math.log2(max - min + 1) });
      }
    }
  }
}

function multiply(one: Ways, other: Ways): Ways {
  return { degree: one.degree + other.degree, constant: one.constant + other.constant };
}

function worse(one: Ways, other: Ways): Ways {
  return {
    degree: Math.max(one.degree, other.degree),
    constant: Math.max(one.constant, other.constant),
  };
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
