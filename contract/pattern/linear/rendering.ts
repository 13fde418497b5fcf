import { type CodeRange, listRanges } from '../tree/character.ts';
import type { PatternNode } from '../tree/syntax.ts';

/** A pattern, or a part of one, in the syntax of RE2. */
interface Rendered {
  readonly text: string;
  /** The product of the counts of repetitions within one another. */
  readonly counts: number;
}

/** The largest count, and product of counts, that RE2 takes. */
const mostCount = 1000;

/**
 * A pattern in the syntax of RE2, its characters as code points, so that they are those of this
 * engine. Undefined where RE2 has no words for it: what must follow, and what was found before.
 */
export function renderLinear(tree: PatternNode, flags: string): string | undefined {
  const classes = new Map<string, string>();
  return render(tree)?.text;

  function render(node: PatternNode): Rendered | undefined {
    switch (node.kind) {
      case 'character':
        return once(classOf(node.source));
      case 'assertion':
        return once(assertions.get(node.source) ?? node.source);
      case 'group':
        return render(node.node);
      case 'sequence':
        return join(node.nodes.map(group), '');
      case 'choice': {
        const joined = join(node.nodes.map(render), '|');
        return joined && { ...joined, text: `(?:${joined.text})` };
      }
      case 'repeat': {
        const body = group(node.node);
        return body && repeat(body, node.min, node.max);
      }
      case 'look': {
        const inner = node.isBehind ? render(node.node) : undefined;
        return inner && { ...inner, text: `(?<${node.isNegated ? '!' : '='}${inner.text})` };
      }
      case 'backreference':
        return undefined;
    }
  }

  /** As one thing that a quantifier or a neighbour may stand beside. */
  function group(node: PatternNode): Rendered | undefined {
    const rendered = render(node);
    const isOne = node.kind === 'character' || node.kind === 'assertion' || node.kind === 'look';
    return rendered && (isOne ? rendered : { ...rendered, text: `(?:${rendered.text})` });
  }

  function classOf(source: string): string {
    const known = classes.get(source) ?? renderClass(listRanges(source, flags));
    classes.set(source, known);
    return known;
  }
}

const assertions: ReadonlyMap<string, string> = new Map([
  ['^', String.raw`\A`],
  ['$', String.raw`\z`],
]);

function once(text: string): Rendered {
  return { text, counts: 1 };
}

function join(parts: readonly (Rendered | undefined)[], between: string): Rendered | undefined {
  const all = parts.filter((part) => part !== undefined);
  if (all.length < parts.length) return undefined;
  return {
    text: all.map(({ text }) => text).join(between),
    counts: all.reduce((most, { counts }) => Math.max(most, counts), 1),
  };
}

/** Counts that RE2 does not take are written out as several. */
function repeat({ text, counts }: Rendered, min: number, max: number): Rendered {
  if (max === 0) return once('(?:)');
  if (min <= 1 && max === Infinity) return { text: `${text}${min === 0 ? '*' : '+'}`, counts };
  if (min === 0 && max === 1) return { text: `${text}?`, counts };
  const most = Math.max(1, Math.floor(mostCount / counts));
  const must = inPieces(min, most, (count) => `${text}{${count}}`);
  const may =
    max === Infinity
      ? `${text}*`
      : inPieces(max - min, most, (count) => (count === 1 ? `${text}?` : `${text}{0,${count}}`));
  const largest = Math.max(min, max === Infinity ? 1 : max - min, 1);
  return { text: `(?:${must}${may})`, counts: counts * Math.min(largest, most) };
}

function inPieces(count: number, most: number, render: (count: number) => string): string {
  const rest = count % most;
  return render(most).repeat(Math.floor(count / most)) + (rest === 0 ? '' : render(rest));
}

function renderClass(ranges: readonly CodeRange[]): string {
  const members = ranges.map(([first, last]) =>
    first === last ? renderCode(first) : `${renderCode(first)}-${renderCode(last)}`,
  );
  return members.length === 0 ? String.raw`[^\x{0}-\x{10ffff}]` : `[${members.join('')}]`;
}

function renderCode(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
