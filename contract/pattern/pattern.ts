import { measureCost, type PatternCost } from './cost.ts';
import { createLinearMatcher, type LinearMatcher } from './linear.ts';
import { mostPatternStates, parsePattern, PatternTooLargeError } from './syntax.ts';

/** Steps to match a text with a pattern. */
export const mostPatternSteps = 2 ** 25;

/** Up to so many steps, backtracking is not slower than the engine of linear time. */
const quickSteps = 2 ** 20;

/** Texts of so many characters must be judged, or the pattern is of no use. */
const usualLength = 40;

export interface Judgement {
  readonly matches: boolean | undefined;
  readonly steps: number;
}

/** Matches texts, as a RegExp does, in a bounded number of steps. */
export class Pattern {
  readonly #source: string;
  readonly #expression: RegExp;
  #plan: Plan | undefined;
  #linear: { readonly matcher: LinearMatcher | undefined } | undefined;
  /** Texts up to so many characters are matched by backtracking; found with the first text. */
  #quickLength = -1;

  /** Throws SyntaxError for what is not an expression with the flag u. */
  constructor(source: string) {
    this.#source = source;
    this.#expression = new RegExp(source, 'u');
  }

  /**
   * Whether a text matches, by nothing but the pattern and the text. Undefined where that would take
   * more than `most` steps.
   */
  match(text: string, most?: number): boolean | undefined {
    return this.judge(text, most).matches;
  }

  /** As `match`; what cannot be judged is taken to match. */
  test(text: string): boolean {
    return this.match(text) !== false;
  }

  /** As `match`, with the steps that it may have taken; none where they are few. */
  judge(text: string, most = mostPatternSteps): Judgement {
    const { length } = text;
    if (length <= this.#quickLength) return { matches: this.#backtrack(text), steps: 0 };
    const plan = (this.#plan ??= createPlan(this.#source));
    const steps = plan.cost(length);
    if (steps <= quickSteps) {
      this.#quickLength = length;
      return { matches: this.#backtrack(text), steps: 0 };
    }
    const { matcher } = (this.#linear ??= { matcher: plan.linear() });
    const linearSteps = matcher === undefined ? Infinity : (length + 1) * matcher.states;
    if (matcher !== undefined && linearSteps <= most)
      return { matches: attempt(() => matcher.test(text)), steps: linearSteps };
    return steps <= most
      ? { matches: this.#backtrack(text), steps }
      : { matches: undefined, steps: 0 };
  }

  #backtrack(text: string): boolean | undefined {
    return attempt(() => this.#expression.test(text));
  }
}

/** Undefined where an engine finds a pattern too large, or its stack full. */
function attempt(test: () => boolean): boolean | undefined {
  try {
    return test();
  } catch {
    return undefined;
  }
}

/** A pattern by its source, with the flag u. Throws SyntaxError where it is none. */
export function createPattern(source: string): Pattern {
  return new Pattern(source);
}

/** Why a pattern cannot judge texts of usual length; undefined where it can. */
export function patternIssue(source: string): string | undefined {
  const { reason, cost, linear } = createPlan(source);
  if (reason !== undefined) return reason;
  const steps = cost(usualLength);
  if (steps <= mostPatternSteps || linear() !== undefined) return undefined;
  const found = steps < Number.MAX_SAFE_INTEGER ? String(Math.ceil(steps)) : 'countless';
  return `can take ${found} steps to match ${usualLength} characters, and ${mostPatternSteps} are the most`;
}

/** Whether a pattern, its quantifiers counted out, is too large to draw texts from at random. */
export function isLargePattern(source: string): boolean {
  return createPlan(source).states > mostPatternStates;
}

interface Plan {
  /** Its quantifiers counted out. */
  readonly states: number;
  /** Why it is not matched. */
  readonly reason?: string;
  readonly cost: PatternCost;
  readonly linear: () => LinearMatcher | undefined;
}

function createPlan(source: string): Plan {
  try {
    const tree = parsePattern(source);
    // The flags of a group, `(?i:...)`, change what its characters stand for.
    const changesFlags = /\(\?(?:[a-z]*-)?[a-z]*:/.test(source.replaceAll('(?:', ''));
    const linear = () => (changesFlags ? undefined : createLinearMatcher(tree));
    return { states: tree.states, cost: measureCost(tree), linear };
  } catch (error) {
    if (!(error instanceof PatternTooLargeError)) throw error;
    const { message: reason } = error;
    return { states: Infinity, reason, cost: () => Infinity, linear: () => undefined };
  }
}
