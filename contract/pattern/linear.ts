import { loadLinearEngine } from './linear-engine.ts';
import { oneCharacter, parsePattern } from './syntax.ts';

/** A pattern that starts with a lookahead without groups: `^(?=.{1,63}$)`, `^(?!.*--)`. */
const headed = /^\^\(\?([=!])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\[\]])*)\)(.*)$/su;

/**
 * Matches texts in linear time, by RE2. Undefined for a pattern that RE2 cannot express: lookaround except
 * at the start, back references and group flags.
 */
export function compileLinear(source: string): ((text: string) => boolean) | undefined {
  const [, sign, ahead = '', rest = ''] = headed.exec(source) ?? [];
  if (sign !== undefined && parsePattern(source).kind !== 'choice') {
    const [look, other] = [compileLinear(`^(?:${ahead})`), compileLinear(`^${rest}`)];
    return look && other && ((text) => look(text) === (sign === '=') && other(text));
  }
  const tokens = source.match(token) ?? [];
  if (tokens.some((one) => /^(?:\(\?(?!:|<)|\\[1-9k])/.test(one))) return undefined;
  const rendered = tokens.map(renderToken).join('');
  try {
    const { RE2JS } = loadLinearEngine();
    const expression = RE2JS.compile(rendered, RE2JS.LOOKBEHINDS);
    return (text) => expression.test(text);
  } catch {
    return undefined;
  }
}

const members = new RegExp(oneCharacter, 'gsu');

/** The start of a group, a quantifier, a class, or one character. */
const token = new RegExp(
  String.raw`\((?:\?(?:<[=!]|<[^>]*>|[^<)]))?|\{\d+(?:,\d*)?\}|\[(?:\\.|[^\]\\])*\]|\\k<[^>]*>|${oneCharacter}`,
  'gsu',
);

function renderToken(text: string): string {
  if (/^\((?:\?<[^=!]|$)/.test(text)) return '(?:';
  if (text === '^') return String.raw`\A`;
  if (text === '$') return String.raw`\z`;
  const isKept = /^(?:\(|\{|\\[bB]$|[)|*+?]$)/.test(text);
  return isKept ? text : renderCharacter(text);
}

/** White space in ECMAScript (ECMA-262, section 22.2.2.9), and its complement. */
const space = String.raw`\x{9}-\x{d} \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const notSpace = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

/** Characters by the letter of their escape. */
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, b: 8, 0: 0 };

/** One character of a pattern: a class, `.`, an escape or a literal. */
function renderCharacter(source: string): string {
  if (source === '.') return String.raw`[^\n\r\x{2028}\x{2029}]`;
  const [, sign = '', inside = source] = /^\[(\^?)(.*)\]$/su.exec(source) ?? [];
  if (inside === '') return String.raw`[${sign === '' ? '^' : ''}\x{0}-\x{10ffff}]`;
  const found = inside.match(members) ?? [];
  // A dash at either end of a class is a literal.
  const rendered = found.map((one, at) =>
    one === '-' && at > 0 && at < found.length - 1 ? one : renderMember(one),
  );
  return `[${sign}${rendered.join('')}]`;
}

function renderMember(text: string): string {
  if (!text.startsWith('\\')) return renderCode(text.codePointAt(0) ?? 0);
  const [, high, low = ''] = /^\\u(d[\da-f]{3})\\u(.*)$/i.exec(text) ?? [];
  if (high !== undefined)
    return renderCode(
      String.fromCharCode(parseInt(high, 16), parseInt(low, 16)).codePointAt(0) ?? 0,
    );
  const [, digits] = /^\\[ux]\{?([\da-f]+)\}?$/i.exec(text) ?? [];
  if (digits !== undefined) return renderCode(parseInt(digits, 16));
  if (text.startsWith('\\c')) return renderCode(text.charCodeAt(2) % 32);
  if (/^\\[pP]/.test(text)) return text.replace(/(?:Script|sc|General_Category|gc)=/, '');
  if (/^\\[dDwW]$/.test(text)) return text;
  if (/^\\[sS]$/.test(text)) return text === '\\s' ? space : notSpace;
  return renderCode(controls[text.charAt(1)] ?? text.codePointAt(1) ?? 0);
}

function renderCode(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
