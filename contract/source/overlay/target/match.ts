import { documentLimits } from '../../../limits/index.ts';
import type { JsonValue } from '../../../json/value.ts';
import { createPattern, type Pattern } from '../../../pattern/pattern.ts';
import { type Scope, TooManyStepsError } from './scope.ts';

/** What the first use of a pattern costs, beside its characters: it is compiled for two engines. */
const compilingSteps = 20_000;

type Value = JsonValue | undefined;

/** RFC 9535 section 2.4.6; a pattern that stands at a `^` or before a `$` is held to that alone. */
export function matchesWhole(text: Value, pattern: Value, scope: Scope): boolean {
  if (typeof pattern !== 'string') return false;
  const isAnchored = pattern.startsWith('^') || pattern.endsWith('$');
  return matches(text, pattern, scope, isAnchored ? '' : '^(?:');
}

/** RFC 9535 section 2.4.7. */
export function matchesWithin(text: Value, pattern: Value, scope: Scope): boolean {
  return typeof pattern === 'string' && matches(text, pattern, scope, '');
}

function matches(text: Value, source: string, scope: Scope, before: '' | '^(?:'): boolean {
  if (typeof text !== 'string' || source.length > documentLimits.patternLength.most) return false;
  const key = before + source;
  const known = scope.patterns.get(key);
  if (known === undefined && !scope.patterns.has(key))
    scope.spend(compilingSteps + source.length * 100);
  const pattern = known ?? compile(source, before);
  scope.patterns.set(key, pattern);
  if (pattern === undefined) return false;
  scope.spend(1 + (text.length >>> 4));
  const { matches: found, steps } = pattern.judge(text);
  scope.spend(steps);
  if (found === undefined) throw new TooManyStepsError();
  return found;
}

/** Undefined for what is no I-Regexp (RFC 9485), or none that RegExp takes. */
function compile(source: string, before: '' | '^(?:'): Pattern | undefined {
  if (!isIRegexp(source)) return undefined;
  // A `[` stands in no class of one without `\\`.
  const inner = source.replaceAll(/\\.|\[(?:\\.|[^[\\\]])*\]|\./gsu, (part) =>
    part === '.' ? '[^\\n\\r]' : part,
  );
  try {
    return createPattern(before === '' ? inner : `${before}${inner})$`);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const escape = String.raw`\\(?:[()*+\-.?[\\\]^nrt{|}$]|[pP]\{[A-Z][a-z]?\})`;
const inClass = String.raw`(?:[^\-[\\\]]|${escape})`;
const atom = String.raw`[^()*+?[\\\]{|}]|${escape}|\[\^?-?(?:${inClass}(?:-${inClass})?)*-?\]`;
const quantifier = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})?`;

/** Each token of an I-Regexp; what is between them is none. */
const token = new RegExp(`(?:${atom}|\\))${quantifier}|[(|]`, 'uy');

function isIRegexp(source: string): boolean {
  let depth = 0;
  token.lastIndex = 0;
  for (let at = 0; at < source.length; at = token.lastIndex) {
    const found = token.exec(source)?.[0];
    if (found === undefined) return false;
    if (found === '(') depth += 1;
    if (found.startsWith(')')) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
