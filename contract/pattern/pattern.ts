import { largest } from '../list/list.ts';
import { compileLinear } from './linear.ts';
import {
  maxPatternStates,
  parsePattern,
  type PatternNode,
  PatternTooLargeError,
} from './syntax.ts';

/** Most steps to match a text with a pattern. */
export const maxPatternSteps = 2 ** 25;

/** Up to this many steps, backtracking is not slower than the linear-time engine. */
const quickSteps = 2 ** 20;

/** A pattern is usable only if it can judge texts of this many characters. */
const usualLength = 40;

interface PatternJudgement {
  /** Undefined if matching takes more steps than allowed. */
  readonly matches: boolean | undefined;
  /** Steps it may have taken; 0 if they are few. */
  readonly steps: number;
}

/** Matches texts like a RegExp, in a bounded number of steps. */
export class Pattern {
  readonly #source: string;
  readonly #expression: RegExp;
  #plan: Plan | undefined;
  #linear: { readonly test: ((text: string) => boolean) | undefined } | undefined;
  /** Texts up to this length are matched by backtracking; computed for the first text. */
  #quickLength = -1;

  /** Throws SyntaxError for an invalid expression with the flag u. */
  constructor(source: string) {
    this.#source = source;
    this.#expression = new RegExp(source, 'u');
  }

  /** Whether a text matches; undefined if that would take more than `most` steps. */
  match(text: string, most?: number): boolean | undefined {
    return this.judge(text, most).matches;
  }

  /** Like `match`; an undecided text counts as matching. */
  test(text: string): boolean {
    return this.match(text) !== false;
  }

  judge(text: string, most = maxPatternSteps): PatternJudgement {
    const { length } = text;
    if (length <= this.#quickLength) return { matches: this.#backtrack(text), steps: 0 };
    const plan = (this.#plan ??= createPlan(this.#source));
    const steps = plan.cost(length);
    if (steps <= quickSteps) {
      this.#quickLength = length;
      return { matches: this.#backtrack(text), steps: 0 };
    }
    // RE2 has no separate states for sequences and groups.
    const linearSteps = (length + 1) * Math.ceil(plan.states / 3);
    if (linearSteps <= most && plan.states <= maxPatternStates) {
      const { test } = (this.#linear ??= { test: compileLinear(this.#source) });
      if (test !== undefined) return { matches: test(text), steps: linearSteps };
    }
    return steps <= most
      ? { matches: this.#backtrack(text), steps }
      : { matches: undefined, steps: 0 };
  }

  /** Undefined if the engine rejects the pattern as too large, or overflows its stack. */
  #backtrack(text: string): boolean | undefined {
    try {
      return this.#expression.test(text);
    } catch {
      return undefined;
    }
  }
}

/** Parses a pattern with the flag u. Throws SyntaxError if it is invalid. */
export function createPattern(source: string): Pattern {
  return new Pattern(source);
}

/** Why a pattern cannot judge texts of usual length; undefined if it can. */
export function patternIssue(source: string): string | undefined {
  const { reason, cost, states } = createPlan(source);
  if (reason !== undefined) return reason;
  const steps = cost(usualLength);
  if (steps <= maxPatternSteps) return undefined;
  if (states <= maxPatternStates && compileLinear(source) !== undefined) return undefined;
  const found = steps < Number.MAX_SAFE_INTEGER ? String(Math.ceil(steps)) : 'countless';
  return `can take ${found} steps to match ${usualLength} characters, and ${maxPatternSteps} are the most`;
}

/** Whether a pattern, with its quantifiers expanded, is too large to draw texts from at random. */
export function isLargePattern(source: string): boolean {
  return createPlan(source).states > maxPatternStates;
}

interface Plan {
  /** With its quantifiers expanded. */
  readonly states: number;
  /** Most steps of backtracking for a text length in characters. */
  readonly cost: (length: number) => number;
  /** Why it cannot be matched. */
  readonly reason?: string;
}

function createPlan(source: string): Plan {
  try {
    const tree = parsePattern(source);
    return { states: tree.states, cost: (length) => measureCost(tree, source, length) };
  } catch (error) {
    if (!(error instanceof PatternTooLargeError)) throw error;
    return { states: Infinity, cost: () => Infinity, reason: error.message };
  }
}

/** A repetition with at least this many counts is treated as unbounded. */
const manyTimes = 10;

/**
 * An upper bound of the steps of `RegExp.test`: an unbounded repetition multiplies the paths by the text
 * length, and another repetition or a choice within one makes them exponential. Each path visits fixed
 * repetitions once, and may try each part of the pattern at each character.
 */
function measureCost(tree: PatternNode, source: string, length: number): number {
  const [first] = tree.kind === 'sequence' ? tree.nodes : [];
  const starts = first?.kind === 'assertion' && first.source === '^' ? 1 : length + 1;
  // Lookaround consumes no characters.
  const longest = /\(\?<?[=!]|\\[1-9k]/.test(source) ? Infinity : tree.max;
  const most = Math.min(length, longest) + 1;
  const ways = countWays(tree, most, false);
  const fixed = Math.min(most, Math.max(1, tree.min));
  return (1 + countParts(tree)) * starts * Math.max(most, ways > 1 ? ways * fixed : 1);
}

/** Number of parts that may be tried without success at one character. */
function countParts(node: PatternNode): number {
  if ('node' in node) return 1 + countParts(node.node);
  if (!('nodes' in node)) return 0;
  const own = node.kind === 'choice' ? node.nodes.length : 0;
  return node.nodes.reduce((sum, one) => sum + countParts(one), own);
}

/** Number of paths through a text of a length. `isLooped`: within an unbounded repetition. */
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
      // Lookaround at the start is evaluated once.
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
