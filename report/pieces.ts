/** About how many characters a piece has at least. */
const pieceLength = 1_000_000;

/**
 * A JSON document, indented as `JSON.stringify` does with 2, in pieces: a log of many exchanges is
 * longer than one text can be.
 *
 * @param document with an empty list as the last of all its values
 * @param depth objects that the list is in
 * @param entries what stands in the list
 */
export function* renderPieces(
  document: object,
  depth: number,
  entries: Iterable<unknown>,
): Generator<string> {
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  const at = text.lastIndexOf('[]');
  const indent = ' '.repeat(2 * depth);
  let piece = text.slice(0, at);
  let isEmpty = true;
  for (const entry of entries) {
    const lines = JSON.stringify(entry, undefined, 2).replaceAll('\n', `\n${indent}  `);
    piece += `${isEmpty ? '[' : ','}\n${indent}  ${lines}`;
    isEmpty = false;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${isEmpty ? '[]' : `\n${indent}]`}${text.slice(at + 2)}`;
}
