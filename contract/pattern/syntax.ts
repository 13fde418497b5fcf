import { largest, smallest } from '../list/list.ts';

/** A regular expression for one character of a pattern, which may be an escape. */
export const oneCharacter = String.raw`\\[pP]\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\.|.`;

/** Most characters of a pattern. */
export const maxPatternLength = 65_536;

/** Deepest nesting of groups in a pattern. */
export const maxPatternDepth = 250;

/** The syntax tree of an ECMA-262 regular expression. */
export type PatternNode = PatternSize &
  (
    | { readonly kind: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
    | {
        readonly kind: 'repeat';
        readonly node: PatternNode;
        readonly least: number;
        readonly most: number;
      }
    | { readonly kind: 'group'; readonly node: PatternNode; readonly names: readonly string[] }
    | { readonly kind: 'backreference'; readonly name: string }
    /** One character; `source` is its text in the expression: `[a-z]`, `\d`, `x`, `.`. */
    | { readonly kind: 'character'; readonly source: string }
    /** A position between characters: `^`, `$`, `\b`, `\B`. */
    | { readonly kind: 'assertion'; readonly source: string }
    /** Lookahead (`isAhead`) or lookbehind, positive or negative. */
    | { readonly kind: 'look'; readonly isAhead: boolean; readonly node: PatternNode }
  );

/** Of the texts that a part of a pattern matches, and of the part. */
interface PatternSize {
  /** Length of the shortest and the longest text, in code points. */
  readonly min: number;
  readonly max: number;
  /** States of the part with its quantifiers expanded. */
  readonly states: number;
}

const place: PatternSize = { min: 0, max: 0, states: 1 };

function sequenceOf(nodes: readonly PatternNode[]): PatternNode {
  let [min, max, states] = [0, 0, 1];
  for (const node of nodes) {
    min += node.min;
    max += node.max;
    states += 1 + node.states;
  }
  return { kind: 'sequence', nodes, min, max, states };
}

function choiceOf(nodes: readonly PatternNode[]): PatternNode {
  const min = smallest(nodes.map((node) => node.min));
  const max = largest(nodes.map((node) => node.max));
  const states = nodes.reduce((sum, node) => sum + 1 + node.states, 1);
  return { kind: 'choice', nodes, min, max, states };
}

function repeatOf(node: PatternNode, least: number, most: number): PatternNode {
  const min = node.min * least;
  const max = node.max === 0 ? 0 : node.max * most;
  const states = (1 + node.states) * Math.max(1, most === Infinity ? least + 1 : most);
  return { kind: 'repeat', node, least, most, min, max, states };
}

/**
 * The tree of a valid `RegExp` source; unknown syntax is read as literals. Throws PatternTooLargeError for
 * one that is too long or nested too deeply.
 */
export function parsePattern(pattern: string): PatternNode {
  if (pattern.length > maxPatternLength)
    throw new PatternTooLargeError(pattern.length, 'characters long', maxPatternLength);
  let at = 0;
  let groups = 0;
  let depth = 0;
  const character = new RegExp(String.raw`\[(?:\\.|[^\]\\])*\]|${oneCharacter}`, 'suy');
  return parseChoice();

  function parseChoice(): PatternNode {
    const nodes = [parseSequence()];
    while (take('|')) nodes.push(parseSequence());
    const [only, ...others] = nodes;
    return only !== undefined && others.length === 0 ? only : choiceOf(nodes);
  }

  function parseSequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')')
      nodes.push(parseQuantifier(parseAtom()));
    return sequenceOf(nodes);
  }

  function parseQuantifier(node: PatternNode): PatternNode {
    const [text, sign, least, comma, most] = match(/([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y) ?? [];
    if (text === undefined) return node;
    if (sign !== undefined)
      return repeatOf(node, sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity);
    const end = comma === undefined ? least : most === '' ? Infinity : most;
    return repeatOf(node, Number(least), Number(end));
  }

  function parseAtom(): PatternNode {
    const [between] = match(/[$^]|\\[bB]/y) ?? [];
    if (between !== undefined) return { kind: 'assertion', source: between, ...place };
    if (take('(')) return parseGroup();
    const [, name] =
      match(/\\(?:([1-9]\d*)|k<([^>]*)>)/y)?.filter((one) => one !== undefined) ?? [];
    if (name !== undefined) return { kind: 'backreference', name, ...place };
    const [source = ''] = match(character) ?? [];
    return { kind: 'character', source, min: 1, max: 1, states: 1 };
  }

  function parseGroup(): PatternNode {
    depth += 1;
    if (depth > maxPatternDepth)
      throw new PatternTooLargeError(depth, 'groups deep', maxPatternDepth);
    const [, sign, name] = match(/\?(<?[=!]|<([^>]*)>|[a-z-]*:)/y) ?? [];
    const isCaptured = sign === undefined || name !== undefined;
    const names = isCaptured ? [String((groups += 1)), name ?? []].flat() : [];
    const node = parseChoice();
    take(')');
    depth -= 1;
    const { min, max } = node;
    const states = 1 + node.states;
    return sign !== undefined && /[=!]$/.test(sign)
      ? { kind: 'look', isAhead: sign === '=', node, min: 0, max: 0, states }
      : { kind: 'group', node, names, min, max, states };
  }

  function take(character: string): boolean {
    if (pattern[at] !== character) return false;
    at += 1;
    return true;
  }

  function match(expression: RegExp): (string | undefined)[] | undefined {
    expression.lastIndex = at;
    const found = expression.exec(pattern);
    if (found === null) return undefined;
    at = expression.lastIndex;
    return [...found];
  }
}

/** A pattern exceeds a limit; the message is the reason, without the pattern. */
export class PatternTooLargeError extends Error {
  constructor(found: number, noun: string, most: number) {
    super(`is too large to be matched: it is ${found} ${noun}, and ${most} is the most`);
  }
}

/** Most states of a pattern that is matched in linear time, with its quantifiers expanded. */
export const maxPatternStates = 10_000;
