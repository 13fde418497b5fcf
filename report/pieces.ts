import { showJson } from '../page/view/visible.ts';

/**
 * Renders a JSON document in pieces, indented as by `JSON.stringify` with 2, because a long log
 * exceeds the maximum length of a string. Escapes invisible characters, so that a terminal can show
 * it.
 *
 * @param document with an empty list as the last of all its values
 * @param depth nesting depth of the list
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
