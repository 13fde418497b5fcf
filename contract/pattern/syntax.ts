import { largest, smallest } from '../list/list.ts';

/** Characters of a pattern. */
export const mostPatternLength = 65_536;

/** Groups of a pattern within groups. */
export const mostPatternDepth = 250;

/** A regular expression of ECMA-262, as a tree. */
export type PatternNode =
  /** One character; `source` is what the expression has for it: `[a-z]`, `\d`, `x`, `.`. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly nodes: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly node: PatternNode;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'group'; readonly node: PatternNode; readonly names: readonly string[] }
  | { readonly kind: 'backreference'; readonly name: string }
  /** A place between characters: `^`, `$`, `\b`, `\B`. */
  | { readonly kind: 'assertion'; readonly source: string }
  /** What must follow or stand before, or must not. */
  | {
      readonly kind: 'look';
      readonly isBehind: boolean;
      readonly isNegated: boolean;
      readonly node: PatternNode;
    };

const empty: PatternNode = { kind: 'sequence', nodes: [] };

/**
 * The tree of an expression that `RegExp` takes; what it does not know stands for itself. Throws
 * PatternTooLargeError for one that is too long, or nested too deep.
 */
export function parsePattern(pattern: string): PatternNode {
  if (pattern.length > mostPatternLength)
    throw new PatternTooLargeError(pattern.length, 'characters long', mostPatternLength);
  let at = 0;
  let groups = 0;
  let depth = 0;
  return parseChoice();

  function parseChoice(): PatternNode {
    const nodes = [parseSequence()];
    while (take('|')) nodes.push(parseSequence());
    return nodes.length === 1 ? (nodes[0] ?? empty) : { kind: 'choice', nodes };
  }

  function parseSequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')')
      nodes.push(parseQuantifier(parseAtom()));
    return { kind: 'sequence', nodes };
  }

  function parseQuantifier(node: PatternNode): PatternNode {
    const [text, sign, least, comma, most] = match(/([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y) ?? [];
    if (text === undefined) return node;
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const max =
      sign === undefined
        ? comma === undefined
          ? min
          : Number(most === '' ? Infinity : most)
        : sign === '?'
          ? 1
          : Infinity;
    return { kind: 'repeat', node, min, max };
  }

  function parseAtom(): PatternNode {
    const [place] = match(/[$^]|\\[bB]/y) ?? [];
    if (place !== undefined) return { kind: 'assertion', source: place };
    if (take('(')) return parseGroup();
    const [, name] =
      match(/\\(?:([1-9]\d*)|k<([^>]*)>)/y)?.filter((one) => one !== undefined) ?? [];
    if (name !== undefined) return { kind: 'backreference', name };
    const [source] =
      match(
        /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\.|./suy,
      ) ?? [];
    if (source === undefined) at += 1;
    return source === undefined ? empty : { kind: 'character', source };
  }

  function parseGroup(): PatternNode {
    depth += 1;
    if (depth > mostPatternDepth)
      throw new PatternTooLargeError(depth, 'groups deep', mostPatternDepth);
    const [, look, behind, name] = match(/\?(?:(=|!)|<(=|!)|<([^>]*)>|[a-z-]*:)/y) ?? [];
    const isCaptured = match(/(?<=\()(?!\?)/y) !== undefined || name !== undefined;
    const sign = look ?? behind;
    const isOpen = sign === undefined;
    const names = isOpen && (name !== undefined || isCaptured) ? [String((groups += 1))] : [];
    const node = parseChoice();
    take(')');
    depth -= 1;
    if (!isOpen)
      return { kind: 'look', isBehind: behind !== undefined, isNegated: sign === '!', node };
    return { kind: 'group', node, names: name === undefined ? names : [...names, name] };
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

/** A pattern is beyond a limit; the message is the reason, without the pattern. */
export class PatternTooLargeError extends Error {
  constructor(found: number, noun: string, most: number) {
    super(`is too large to be matched: it is ${found} ${noun}, and ${most} is the most`);
  }
}

/** States of a pattern that is matched in linear time, its quantifiers counted out. */
export const mostPatternStates = 10_000;

/** How many states a pattern has, its quantifiers counted out. */
export function countStates(node: PatternNode): number {
  switch (node.kind) {
    case 'sequence':
    case 'choice':
      return node.nodes.reduce((sum, one) => sum + 1 + countStates(one), 1);
    case 'repeat': {
      const { min, max } = node;
      return (1 + countStates(node.node)) * Math.max(1, max === Infinity ? min + 1 : max);
    }
    case 'group':
    case 'look':
      return 1 + countStates(node.node);
    case 'character':
    case 'assertion':
    case 'backreference':
      return 1;
  }
}

/** Lengths of texts, in code points. */
export interface LengthRange {
  readonly min: number;
  readonly max: number;
}

/** The lengths of the texts that nodes stand for, each node read once. */
export function createMeasure(): (node: PatternNode) => LengthRange {
  const known = new Map<PatternNode, LengthRange>();
  return measure;

  function measure(node: PatternNode): LengthRange {
    const range = known.get(node) ?? read(node);
    known.set(node, range);
    return range;
  }

  function read(node: PatternNode): LengthRange {
    switch (node.kind) {
      case 'character':
        return { min: 1, max: 1 };
      case 'group':
        return measure(node.node);
      case 'repeat': {
        const { min, max } = measure(node.node);
        return { min: min * node.min, max: max === 0 ? 0 : max * node.max };
      }
      case 'sequence':
        return sumLengths(node.nodes.map(measure));
      case 'choice': {
        const ranges = node.nodes.map(measure);
        return {
          min: smallest(ranges.map(({ min }) => min)),
          max: largest(ranges.map(({ max }) => max)),
        };
      }
      case 'backreference':
      case 'assertion':
      case 'look':
        return { min: 0, max: 0 };
    }
  }
}

/** The lengths of what follows one another. */
export function sumLengths(ranges: readonly LengthRange[]): LengthRange {
  return ranges.reduce((one, other) => ({ min: one.min + other.min, max: one.max + other.max }), {
    min: 0,
    max: 0,
  });
}
