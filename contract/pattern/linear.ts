import { loadLinearEngine } from './linear-engine.ts';
import { mostPatternStates, type PatternNode, sequenceOf } from './syntax.ts';

/** Matches texts in a time that grows as their length does. */
export interface LinearMatcher {
  /** For each character of a text, about so many steps. */
  readonly states: number;
  /** Throws for a pattern that RE2 refuses. */
  readonly test: (text: string) => boolean;
}

/** Undefined for a pattern that is too large to be matched so, or that RE2 cannot express. */
export function createLinearMatcher(tree: PatternNode): LinearMatcher | undefined {
  return tree.states > mostPatternStates ? undefined : compile(tree);
}

/**
 * Lookaheads at the start are matched as patterns of their own: `^(?=.*\d)(?!.*x)[a-z\d]+$` matches
 * what `^.*\d` and `^[a-z\d]+$` match and `^.*x` does not. A choice of the whole matches what one of
 * its patterns does.
 */
function compile(tree: PatternNode): LinearMatcher | undefined {
  const node = withoutGroup(tree);
  if (node.kind === 'choice')
    return joinMatchers(
      node.nodes.map((one) => compile(one)),
      (all, text) => all.some((one) => one.test(text)),
    );
  const [first, ...rest] = flatten(node);
  if (first?.kind !== 'assertion' || first.source !== '^') return compilePattern(tree);
  const others = [...rest];
  const matchers: (LinearMatcher | undefined)[] = [];
  for (let next = others[0]; next !== undefined && isHead(next); next = others[0]) {
    others.shift();
    if (next.kind === 'look')
      matchers.push(compileLook(sequenceOf([first, next.node]), next.isNegated));
  }
  const main = compilePattern(sequenceOf([first, ...others]));
  if (matchers.length === 0) return main;
  return joinMatchers([...matchers, main], (all, text) => all.every((one) => one.test(text)));
}

function compileLook(tree: PatternNode, isNegated: boolean): LinearMatcher | undefined {
  const inner = compile(tree);
  return isNegated ? inner && { ...inner, test: (text) => !inner.test(text) } : inner;
}

function joinMatchers(
  matchers: readonly (LinearMatcher | undefined)[],
  test: (all: readonly LinearMatcher[], text: string) => boolean,
): LinearMatcher | undefined {
  const all = matchers.filter((one) => one !== undefined);
  if (all.length < matchers.length) return undefined;
  const states = all.reduce((sum, one) => sum + one.states, 0);
  return { states, test: (text) => test(all, text) };
}

/** What may be among the lookaheads of a start. */
function isHead(node: PatternNode): boolean {
  return node.kind === 'look' ? !node.isBehind : node.kind === 'assertion' && node.source === '^';
}

/** The parts of a sequence, those of groups within it included. */
function flatten(node: PatternNode): readonly PatternNode[] {
  const inner = withoutGroup(node);
  return inner.kind === 'sequence' ? inner.nodes.flatMap(flatten) : [inner];
}

/** What is in a group, and in one within. */
function withoutGroup(node: PatternNode): PatternNode {
  if (node.kind === 'group') return withoutGroup(node.node);
  const [only, ...others] = node.kind === 'sequence' ? node.nodes : [];
  return only !== undefined && others.length === 0 ? withoutGroup(only) : node;
}

/** Compiled with the first text, which takes a millisecond and more. */
function compilePattern(tree: PatternNode): LinearMatcher | undefined {
  const rendered = renderLinear(tree);
  if (rendered === undefined) return undefined;
  let expression: { readonly test: (text: string) => boolean } | undefined;
  return {
    // RE2 has no states of its own for sequences and groups.
    states: Math.ceil(tree.states / 3),
    test: (text) => {
      const { RE2JS } = loadLinearEngine();
      expression ??= RE2JS.compile(rendered, RE2JS.LOOKBEHINDS);
      return expression.test(text);
    },
  };
}

/**
 * A pattern in the syntax of RE2. Undefined where RE2 cannot express it: what must follow, and what
 * was found before.
 */
function renderLinear(node: PatternNode): string | undefined {
  switch (node.kind) {
    case 'character':
      return renderCharacter(node.source);
    case 'assertion':
      return assertions[node.source] ?? node.source;
    case 'group':
      return renderLinear(node.node);
    case 'sequence':
      return joinRendered(node.nodes.map(renderPart), '');
    case 'choice':
      return joinRendered(node.nodes.map(renderPart), '|');
    case 'repeat': {
      const { least, most } = node;
      const body = renderPart(node.node);
      return body && `${body}{${least},${most === Infinity ? '' : most}}`;
    }
    case 'look': {
      const inner = node.isBehind ? renderLinear(node.node) : undefined;
      return inner && `(?<${node.isNegated ? '!' : '='}${inner})`;
    }
    case 'backreference':
      return undefined;
  }
}

const assertions: Readonly<Record<string, string>> = { '^': String.raw`\A`, $: String.raw`\z` };

/** As one thing that a quantifier or a neighbor may be beside. */
function renderPart(node: PatternNode): string | undefined {
  const rendered = renderLinear(node);
  const isOne = node.kind === 'character' || node.kind === 'assertion' || node.kind === 'look';
  return rendered === undefined || isOne ? rendered : `(?:${rendered})`;
}

function joinRendered(parts: readonly (string | undefined)[], between: string): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(between);
}

/** What ECMAScript takes for white space (ECMA-262, section 22.2.2.9), and what it does not. */
const space = String.raw`\x{9}-\x{d} \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const notSpace = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

const letters: Readonly<Record<string, string>> = {
  s: space,
  S: notSpace,
  t: String.raw`\x{9}`,
  n: String.raw`\x{a}`,
  v: String.raw`\x{b}`,
  f: String.raw`\x{c}`,
  r: String.raw`\x{d}`,
  b: String.raw`\x{8}`,
  0: String.raw`\x{0}`,
};

/** One character of a pattern: a class, `.`, an escape or itself. */
function renderCharacter(source: string): string {
  if (source === '.') return String.raw`[^\n\r\x{2028}\x{2029}]`;
  const [, sign = '', members = source] = /^\[(\^?)(.*)\]$/su.exec(source) ?? [];
  if (members === '' && source !== '')
    return String.raw`[${sign === '' ? '^' : ''}\x{0}-\x{10ffff}]`;
  const tokens = members.match(member) ?? [];
  // A dash at either end of a class is a character.
  const rendered = tokens.map((token, at) =>
    token === '-' && at > 0 && at < tokens.length - 1 ? token : renderMember(token),
  );
  return `[${sign}${rendered.join('')}]`;
}

const member =
  /\\[pP]\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\.|./gsu;

function renderMember(token: string): string {
  if (!token.startsWith('\\')) return renderCode(token.codePointAt(0) ?? 0);
  const [, high, low = ''] = /^\\u(d[\da-f]{3})\\u(.*)$/i.exec(token) ?? [];
  if (high !== undefined)
    return renderCode(
      String.fromCharCode(parseInt(high, 16), parseInt(low, 16)).codePointAt(0) ?? 0,
    );
  const [, digits] = /^\\[ux]\{?([\da-f]+)\}?$/i.exec(token) ?? [];
  if (digits !== undefined) return renderCode(parseInt(digits, 16));
  if (token.startsWith('\\c')) return renderCode(token.charCodeAt(2) % 32);
  if (/^\\[pP]/.test(token)) return token.replace(/(?:Script|sc|General_Category|gc)=/, '');
  if (/^\\[dDwW]$/.test(token)) return token;
  return letters[token.charAt(1)] ?? renderCode(token.codePointAt(1) ?? 0);
}

function renderCode(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
