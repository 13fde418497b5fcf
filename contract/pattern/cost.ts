import { everySymbol, noSymbols, type Symbols, symbolsOf } from './tree/character.ts';
import { reverse } from './tree/group.ts';
import { createMeasure } from './tree/length.ts';
import type { PatternNode } from './tree/syntax.ts';

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
 * An upper bound of what `test` of `RegExp` takes. A repetition or a choice is a fork where its
 * continuations can begin with the same character: an unbounded repetition multiplies the ways by
 * the length, any fork within one makes them exponential. `isForeign`: each character may be any.
 */
export function measureCost(tree: PatternNode, flags: string, isForeign: boolean): PatternCost {
  const symbols = new Map<string, Symbols>();
  const { degree, constant } = measure(tree, noSymbols, false);
  const starts = isAnchored(tree) ? 0 : 1;
  const factor = (1 + countTurns(tree)) * 2 ** constant;
  const longest = hasLook(tree) ? Infinity : createMeasure()(tree).max;
  return (length) =>
    factor * (length + 1) ** starts * (Math.min(length, longest) + 1) ** (1 + degree);

  /** `next`: what can follow. `isLooped`: it is within an unbounded repetition. */
  function measure(node: PatternNode, next: Symbols, isLooped: boolean): Ways {
    switch (node.kind) {
      case 'character':
      case 'assertion':
        return oneWay;
      case 'backreference':
        return isLooped ? countless : { degree: 1, constant: 0 };
      case 'group':
        return measure(node.node, next, isLooped);
      case 'look':
        return measure(node.isBehind ? reverse(node.node) : node.node, noSymbols, isLooped);
      case 'choice': {
        const inner = node.nodes.map((one) => measure(one, next, isLooped)).reduce(worse, oneWay);
        if (!isShared(node.nodes.map((one) => firstOf(one, next)))) return inner;
        return isLooped
          ? countless
          : multiply(inner, { degree: 0, constant: Math.log2(node.nodes.length) });
      }
      case 'sequence': {
        let after = next;
        const parts = node.nodes.toReversed().map((part) => {
          const ways = measure(part, after, isLooped);
          after = firstOf(part, after);
          return ways;
        });
        // What is looked at from the start is looked at once.
        const heads = node.nodes.findIndex(({ kind }) => kind !== 'look' && kind !== 'assertion');
        const looks = parts.splice(heads === -1 ? 0 : parts.length - heads);
        return worse(looks.reduce(worse, oneWay), parts.reduce(multiply, oneWay));
      }
      case 'repeat': {
        const { min, max } = node;
        const first = firstOf(node.node, noSymbols);
        const isLoop = max > manyTimes;
        const inner = measure(node.node, max > 1 ? next | first : next, isLooped || isLoop);
        if (isLoop && canBeEmpty(node.node)) return countless;
        const isFork = max > min && (first & next) !== noSymbols;
        if (isFork && isLooped) return countless;
        if (isLoop) return isFork ? multiply(inner, { degree: 1, constant: 0 }) : inner;
        const times = { degree: inner.degree * max, constant: inner.constant * max };
        const own = { degree: 0, constant: isFork ? Math.log2(max - min + 1) : 0 };
        return max === 0 ? oneWay : multiply(times, own);
      }
    }
  }

  /** The characters that a part, and what follows where it may be empty, can begin with. */
  function firstOf(node: PatternNode, next: Symbols): Symbols {
    switch (node.kind) {
      case 'character':
        return symbolsAt(node.source);
      case 'backreference':
        return everySymbol;
      case 'assertion':
      case 'look':
        return next;
      case 'choice':
        return node.nodes.reduce((sum, one) => sum | firstOf(one, next), noSymbols);
      case 'sequence':
        return node.nodes.reduceRight((after, one) => firstOf(one, after), next);
      case 'group':
        return firstOf(node.node, next);
      case 'repeat':
        return firstOf(node.node, next) | (node.min === 0 ? next : noSymbols);
    }
  }

  function symbolsAt(source: string): Symbols {
    const known = symbols.get(source) ?? (isForeign ? everySymbol : symbolsOf(source, flags));
    symbols.set(source, known);
    return known;
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

/** Whether two of them have a symbol in common. */
function isShared(all: readonly Symbols[]): boolean {
  let union = noSymbols;
  for (const one of all) {
    if ((union & one) !== noSymbols) return true;
    union |= one;
  }
  return false;
}

function canBeEmpty(node: PatternNode): boolean {
  if (node.kind === 'character') return false;
  if (node.kind === 'choice') return node.nodes.some(canBeEmpty);
  if (node.kind === 'sequence') return node.nodes.every(canBeEmpty);
  if (node.kind === 'group') return canBeEmpty(node.node);
  return node.kind !== 'repeat' || node.min === 0 || canBeEmpty(node.node);
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
