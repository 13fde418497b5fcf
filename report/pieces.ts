import { showJson } from '../page/view/visible.ts';

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
  const indent = `\n${'  '.repeat(depth)}`;
  yield text.slice(0, at);
  let isEmpty = true;
  for (const entry of entries) {
    const shown = showJson(entry, 2).replaceAll('\n', `${indent}  `);
    yield `${isEmpty ? '[' : ','}${indent}  ${shown}`;
    isEmpty = false;
  }
  yield `${isEmpty ? '[]' : `${indent}]`}${text.slice(at + 2)}`;
}
