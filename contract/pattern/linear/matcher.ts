import type { RE2JS } from 're2js';
import type { PatternNode } from '../tree/syntax.ts';
import { type Formula, readFormula } from './formula.ts';
import { loadLinearEngine } from './engine.ts';
import { renderLinear } from './rendering.ts';
import { countStates } from '../tree/size.ts';
import { mostPatternStates } from '../tree/size.ts';

/** Matches texts in a time that grows as their length does. */
export interface LinearMatcher {
  /** For each character of a text, at most so many steps. */
  readonly states: number;
  readonly test: (text: string) => boolean;
}

/** Undefined for a pattern that is too large to be matched so, or for which there are no words. */
export function createLinearMatcher(tree: PatternNode, flags: string): LinearMatcher | undefined {
  if (countStates(tree) > mostPatternStates) return undefined;
  return compile(readFormula(tree), flags);
}

function compile(formula: Formula, flags: string): LinearMatcher | undefined {
  switch (formula.kind) {
    case 'pattern':
      return compilePattern(formula.tree, flags);
    case 'not': {
      const inner = compile(formula.formula, flags);
      return inner && { ...inner, test: (text) => !inner.test(text) };
    }
    case 'every':
    case 'some': {
      const all = formula.formulas.map((one) => compile(one, flags));
      const known = all.filter((one) => one !== undefined);
      if (known.length < all.length) return undefined;
      const isEvery = formula.kind === 'every';
      return {
        states: known.reduce((sum, { states }) => sum + states, 0),
        test: (text) =>
          isEvery ? known.every((one) => one.test(text)) : known.some((one) => one.test(text)),
      };
    }
  }
}

function compilePattern(tree: PatternNode, flags: string): LinearMatcher | undefined {
  const text = renderLinear(tree, flags);
  if (text === undefined) return undefined;
  const { RE2JS } = loadLinearEngine();
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(text, RE2JS.LOOKBEHINDS);
  } catch {
    return undefined;
  }
  return { states: expression.programSize(), test: (value) => expression.test(value) };
}
