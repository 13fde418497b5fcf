import { largest } from '../../list/list.ts';
import { noSymbols, type Symbols } from '../tree/character.ts';
import { flatten, reverse } from '../tree/group.ts';
import type { PatternNode } from '../tree/syntax.ts';
import { createTraits } from './traits.ts';

/**
 * The most steps that backtracking may take with a text of so many characters, whatever the text.
 *
 * A path through the text is told by what it does where a pattern has a choice. Where the choices
 * begin with different characters, the next one leaves at most one of them, so such a place adds
 * no paths. All other places multiply them: by the number of choices that share a character, as
 * often as the place is passed.
 */
export type PatternCost = (length: number) => number;

/** So many characters of a choice are looked at to tell it from another, of so many. */
const longestHead = 8;
const mostCompared = 500;

/** A place where several choices share a character. */
interface Fork {
  readonly choices: number;
  /** The bounds of the repetitions that it stands in. */
  readonly loops: readonly Loop[];
  /** The repetition whose end it is. */
  readonly loop?: PatternNode;
}

/** A part of a sequence. */
interface Stretch {
  readonly longest: number;
  /** How often it goes on without a character. */
  readonly idle: number;
  /** Its forks, and those of them that it is passed with. */
  readonly forks: readonly Fork[];
  readonly within: readonly Fork[];
}

interface Loop {
  readonly min: number;
  readonly max: number;
}

/** The cost of a pattern by `exec` or `test` of the engine. `flags`: those it is compiled with. */
export function measureCost(tree: PatternNode, flags: string, isForeign = false): PatternCost {
  const { traitsOf, symbolsAt, longestOf } = createTraits(tree, flags, isForeign);
  const starts = beginsAtStart(tree) ? 1 : Infinity;
  const passes = measurePasses(tree);
  return (length) => Math.min(starts, length + 1) * passes(length);

  /** The cost from one place of the text on. Choices of the whole are tried one after the other. */
  function measurePasses(node: PatternNode): PatternCost {
    const parts = flatten(node);
    const [only] = parts;
    if (only?.kind === 'choice' && parts.length === 1) return sum(only.nodes.map(measurePasses));
    const start = parts.findIndex((part) => part.kind !== 'look' && part.kind !== 'assertion');
    const heads = start === -1 ? parts : parts.slice(0, start);
    const looks = heads.filter((part) => part.kind === 'look').map(measureLook);
    return sum([...looks, measureSequence(parts.slice(heads.length))]);
  }

  function measureLook({ isBehind, node }: PatternNode & { kind: 'look' }): PatternCost {
    return measurePasses(isBehind ? reverse(node) : node);
  }

  /** Each part is passed on the paths that the forks before it leave. */
  function measureSequence(nodes: readonly PatternNode[]): PatternCost {
    const width = 1 + nodes.reduce((all, node) => all + countTurns(node), 0);
    const inner: PatternCost[] = [];
    const stretches: Stretch[] = [];
    let after = noSymbols;
    for (const node of nodes.toReversed()) {
      const forks: Fork[] = [];
      walk(node, after, [], forks, inner);
      // Those who leave a repetition have passed it together.
      const own = forks.findIndex(({ loop }) => loop === node);
      const { longest } = traitsOf(node);
      const within = forks.filter((_fork, index) => index !== own);
      stretches.push({ longest, idle: countIdle(node), within, forks });
      after = firstWith(node, after);
    }
    const inOrder = stretches.toReversed();
    return (length) => {
      let [total, paths, left] = [1, 0, length];
      for (const { longest, idle, within, forks } of inOrder) {
        const passed = Math.min(left, longest);
        total += 2 ** (paths + weighAll(within, length)) * (passed + 1 + idle);
        const further = weighAll(forks, length);
        paths += further;
        // On one path, what a part has passed is not left to the next.
        left = further > 0 ? length : left - passed;
      }
      return width * total * (1 + inner.reduce((all, cost) => all + cost(length), 0));
    };
  }

  function walk(
    node: PatternNode,
    next: Symbols,
    loops: readonly Loop[],
    forks: Fork[],
    inner: PatternCost[],
  ): void {
    switch (node.kind) {
      case 'group':
        return walk(node.node, next, loops, forks, inner);
      case 'sequence': {
        let after = next;
        for (const part of node.nodes.toReversed()) {
          walk(part, after, loops, forks, inner);
          after = firstWith(part, after);
        }
        return;
      }
      case 'choice': {
        const shared = countShared(node.nodes, next);
        if (shared > 1) forks.push({ choices: shared, loops });
        for (const part of node.nodes) walk(part, next, loops, forks, inner);
        return;
      }
      case 'repeat': {
        const { min, max } = node;
        const { canBeEmpty, first } = traitsOf(node.node);
        const isShared = canBeEmpty || (first & next) !== noSymbols;
        if (isShared && max > min) forks.push({ choices: max - min + 1, loops, loop: node });
        const within = max > 1 ? [...loops, { min, max }] : loops;
        return walk(node.node, max > 1 ? next | first : next, within, forks, inner);
      }
      case 'look': {
        inner.push(measureLook(node));
        return;
      }
      case 'backreference': {
        const longest = longestOf(node.name);
        inner.push((length) => Math.min(length, longest) + 1);
        return;
      }
      case 'character':
      case 'assertion':
        return;
    }
  }

  /** How often a pattern has to repeat what may be empty: so often it goes on without a character. */
  function countIdle(node: PatternNode): number {
    if ('nodes' in node) return node.nodes.reduce((sum, one) => sum + countIdle(one), 0);
    if (!('node' in node)) return 0;
    const idle = countIdle(node.node);
    if (node.kind !== 'repeat' || !traitsOf(node.node).canBeEmpty) return idle;
    return (1 + idle) * node.min;
  }

  /** How many of these can go on with the same characters, or at the end. */
  function countShared(nodes: readonly PatternNode[], next: Symbols): number {
    const firsts = nodes.map((node) => firstWith(node, next));
    const empties = nodes.filter((node) => traitsOf(node).canBeEmpty).length;
    let union = noSymbols;
    if (empties < 2 && firsts.every((first) => isNew(first))) return 1;
    if (nodes.length > mostCompared) return nodes.length;
    const heads = nodes.map((node) => listHead(node));
    const shared = nodes.map(
      (_node, at) =>
        nodes.filter((_other, index) => index === at || !isApart(at, index, heads, firsts)).length,
    );
    return largest(shared, empties);

    function isNew(first: Symbols): boolean {
      const isFree = (union & first) === noSymbols;
      union |= first;
      return isFree;
    }
  }

  /** The characters that a node begins with, whatever follows. */
  function listHead(node: PatternNode): readonly Symbols[] {
    const head: Symbols[] = [];
    for (const part of flatten(node)) {
      if (part.kind === 'character') head.push(symbolsAt(part.source));
      else if (part.kind !== 'assertion') break;
      if (head.length >= longestHead) break;
    }
    return head;
  }

  function firstWith(node: PatternNode, next: Symbols): Symbols {
    const { canBeEmpty, first } = traitsOf(node);
    return canBeEmpty ? first | next : first;
  }
}

function sum(costs: readonly PatternCost[]): PatternCost {
  return (length) => costs.reduce((all, cost) => all + cost(length), 0);
}

function weighAll(forks: readonly Fork[], length: number): number {
  return forks.reduce((all, fork) => all + weigh(fork, length), 0);
}

/** Whether no text can begin as both do: then one of them ends with its first characters. */
function isApart(
  one: number,
  other: number,
  heads: readonly (readonly Symbols[])[],
  firsts: readonly Symbols[],
): boolean {
  if (((firsts[one] ?? noSymbols) & (firsts[other] ?? noSymbols)) === noSymbols) return true;
  const rest = heads[other] ?? [];
  return (heads[one] ?? []).some(
    (symbols, at) => at < rest.length && (symbols & (rest[at] ?? noSymbols)) === noSymbols,
  );
}

/** The binary logarithm of what a fork multiplies paths by. */
function weigh({ choices, loops }: Fork, length: number): number {
  const times = loops.reduce(
    (product, { min, max }) => product * Math.min(max, min + length + 1),
    1,
  );
  return times * Math.log2(Math.min(choices, length + 1));
}

/** True where a pattern is tried at the start of a text only. */
function beginsAtStart(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assertion':
      return node.source === '^';
    case 'group':
      return beginsAtStart(node.node);
    case 'sequence': {
      const [first] = node.nodes;
      return first !== undefined && beginsAtStart(first);
    }
    case 'choice':
      return node.nodes.every(beginsAtStart);
    case 'repeat':
    case 'look':
    case 'character':
    case 'backreference':
      return false;
  }
}

/** How many nodes of a pattern may be tried in vain, or passed, at one character. */
function countTurns(node: PatternNode): number {
  if (node.kind === 'character') return 0;
  const own = node.kind === 'choice' ? node.nodes.length : node.kind === 'sequence' ? 0 : 1;
  if ('nodes' in node) return node.nodes.reduce((all, one) => all + countTurns(one), own);
  return 'node' in node && node.kind !== 'look' ? own + countTurns(node.node) : own;
}
