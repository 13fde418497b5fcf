import { randomUUID } from 'node:crypto';
import { showJson, showJsonText } from '../page/view/visible.ts';

/**
 * About how many characters a piece has at least: pieces of a million fill the memory before it is
 * looked through for what is done with.
 */
const pieceLength = 100_000;

/** How many characters of a text are escaped at once: till then each escape is a text of its own. */
const sliceLength = 10_000;

/**
 * A JSON document, indented as `JSON.stringify` does with 2, in pieces: a log of many exchanges is
 * longer than one text can be. Invisible characters are escaped, so that a terminal can show it.
 *
 * @param document with an empty list as the last of all its values
 * @param depth objects that the list is in
 * @param entries the items of the list
 */
export function* renderPieces(
  document: object,
  depth: number,
  entries: Iterable<unknown>,
): Generator<string> {
  const text = `${showJson(document, 2)}\n`;
  const at = text.lastIndexOf('[]');
  const indent = ' '.repeat(2 * depth);
  let piece = text.slice(0, at);
  let isEmpty = true;
  for (const entry of entries) {
    piece += `${isEmpty ? '[' : ','}\n${indent}  `;
    isEmpty = false;
    for (const part of renderEntry(entry, `${indent}  `)) {
      piece += part;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${isEmpty ? '[]' : `\n${indent}]`}${text.slice(at + 2)}`;
}

/** One entry, the long texts in it in slices: a text, its JSON and its bytes are not there at once. */
function* renderEntry(entry: unknown, indent: string): Generator<string> {
  const mark = randomUUID();
  const long: string[] = [];
  const frame = showJsonText(
    JSON.stringify(
      entry,
      (_name, value: unknown) => {
        if (typeof value !== 'string' || value.length <= sliceLength) return value;
        long.push(value);
        return mark;
      },
      2,
    ),
  ).replaceAll('\n', `\n${indent}`);
  for (const [place, part] of frame.split(`"${mark}"`).entries()) {
    if (place > 0) yield* renderText(long[place - 1] ?? '');
    yield part;
  }
}

/** A text as JSON. */
function* renderText(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length;) {
    const end = endOfSlice(text, at);
    yield showJson(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

/** No slice ends within a surrogate pair, or within what a CI server takes for a command. */
function endOfSlice(text: string, start: number): number {
  const end = start + sliceLength;
  if (end >= text.length) return text.length;
  let before = end;
  while (before > end - 100 && /\w/.test(text.charAt(before - 1))) before -= 1;
  while (before > end - 100 && text.charAt(before - 1) === '#') before -= 1;
  if (text.charAt(before) === '#') return before;
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
}
