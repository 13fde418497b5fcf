import { endOfString } from '../json/syntax.ts';
import { renderFragment } from '../json/pointer.ts';

/** A JSON text without what was nested too deep in it. */
interface CutText {
  /** As long as the text before: what stands at an offset stands there still. */
  readonly text: string;
  /** The pointers of the lists and objects that were emptied, and their offsets. */
  readonly cuts: readonly { readonly pointer: string; readonly offset: number }[];
}

/** A list or an object that is open where the text is being read. */
interface Level {
  readonly isList: boolean;
  index: number;
  /** Offsets of the name of the member, its quotes included. */
  name: readonly [start: number, end: number];
  isNameNext: boolean;
}

/**
 * Empties the lists and objects of a JSON text that stand deeper than a number of levels. What is
 * no JSON is left for its parser to refuse.
 */
export function cutDeepJson(text: string, mostLevels: number): CutText {
  const cuts: { pointer: string; offset: number }[] = [];
  const kept: string[] = [];
  const open: Level[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    const level = open.at(-1);
    if (character === quote) {
      const start = at;
      at = endOfString(text, at);
      if (level?.isNameNext === true) {
        level.name = [start, at + 1];
        level.isNameNext = false;
      }
    } else if (character === comma && level !== undefined) {
      level.index += 1;
      level.isNameNext = !level.isList;
    } else if (character === brace || character === bracket) {
      if (open.length < mostLevels) {
        const isList = character === bracket;
        open.push({ isList, index: 0, name: [0, 0], isNameNext: !isList });
        continue;
      }
      const end = endOfContainer(text, at);
      if (end === undefined) break;
      if (text.slice(at + 1, end).trim() !== '') {
        cuts.push({ pointer: pointerOf(text, open), offset: at });
        kept.push(text.slice(from, at + 1), ' '.repeat(end - at - 1));
        from = end;
      }
      at = end;
    } else if (character === closingBrace || character === closingBracket) open.pop();
  }
  return { text: cuts.length === 0 ? text : kept.join('') + text.slice(from), cuts };
}

const [quote, comma] = [0x22, 0x2c];
const [brace, bracket, closingBrace, closingBracket] = [0x7b, 0x5b, 0x7d, 0x5d];

/** The offset of the bracket that closes the one at `start`; undefined where none does. */
function endOfContainer(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (character === brace || character === bracket) depth += 1;
    else if (character === closingBrace || character === closingBracket) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

function pointerOf(text: string, open: readonly Level[]): string {
  return renderFragment(
    open.map(({ isList, index, name: [start, end] }) =>
      isList ? index : nameOf(text.slice(start, end)),
    ),
  );
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
