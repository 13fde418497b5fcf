import { createContext, Script } from 'node:vm';

/** What matches texts, as a RegExp does. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

/** How long one match may take, in milliseconds. */
const mostTime = 100;

/** Texts up to these lengths are matched in no time, whatever the pattern. */
const shortForNested = 16;
const shortForSeveral = 256;

/**
 * A regular expression whose matching ends: after a tenth of a second a text is taken to match.
 * Only patterns that may take time beyond measure are watched, and only with long texts.
 */
export function createBoundedPattern(source: string, flags: string): Pattern {
  const expression = new RegExp(source, flags);
  const longest = longestQuick(source);
  if (longest === Number.POSITIVE_INFINITY) return expression;
  const context = createContext({ expression, text: '' });
  const script = new Script('expression.test(text)');
  return {
    test: (text) => {
      if (text.length <= longest) return expression.test(text);
      context['text'] = text;
      try {
        return script.runInContext(context, { timeout: mostTime }) === true;
      } catch {
        return true;
      }
    },
    toString: () => expression.toString(),
  };
}

/** The length up to which texts are matched quickly by how often a pattern repeats. */
function longestQuick(source: string): number {
  const plain = source.replaceAll(/\\./gsu, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  const repeat = String.raw`(?:[*+]|\{\d+,\}|\{\d+,\d{2,}\}|\{\d{2,}\})`;
  const group = new RegExp(String.raw`\(([^()]*(?:\([^()]*\)[^()]*)*)\)${repeat}`, 'g');
  const isNested = [...plain.matchAll(group)].some(([, inner = '']) => /[*+|?]|\{\d*,/.test(inner));
  if (isNested) return shortForNested;
  const repeats = [...plain.matchAll(new RegExp(repeat, 'g'))].length;
  return repeats > 2 ? shortForSeveral : Number.POSITIVE_INFINITY;
}
