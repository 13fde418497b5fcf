import type { VisibleText } from '../../page/view/visible.ts';

/** Columns that a text takes in a terminal: wide characters two, marks that combine none. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** A text of at most so many columns: cut at its end, with an ellipsis for what is missing. */
export function fitColumns(text: VisibleText, most: number): VisibleText;
export function fitColumns(text: string, most: number): string;
export function fitColumns(text: string, most: number): string {
  if (text.length <= most && countColumns(text) <= most) return text;
  const [head] = takeColumns(text, most - 1);
  return `${head}…`;
}

/** A text cut after as many characters as take at most so many columns. */
export function takeColumns(
  text: VisibleText,
  most: number,
): readonly [head: VisibleText, tail: VisibleText];
export function takeColumns(text: string, most: number): readonly [head: string, tail: string];
export function takeColumns(text: string, most: number): readonly [head: string, tail: string] {
  let columns = 0;
  let end = 0;
  for (const character of text) {
    columns += widthOf(character);
    if (columns > most) break;
    end += character.length;
  }
  return [text.slice(0, end), text.slice(end)];
}

function widthOf(character: string): number {
  if (character < '\u0300') return 1;
  if (/\p{M}/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The scripts whose characters take two columns (Unicode Standard Annex 11), by block. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** Lines of at most so many columns, broken between words; a longer word has its own line. */
export function wrapWords(text: VisibleText, most: number): readonly VisibleText[];
export function wrapWords(text: string, most: number): readonly string[];
export function wrapWords(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && countColumns(`${line} ${word}`) <= most)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Lines of at most so many columns, broken between words, and within those that are longer. */
export function wrapText(text: VisibleText, most: number): readonly VisibleText[];
export function wrapText(text: string, most: number): readonly string[];
export function wrapText(text: string, most: number): readonly string[] {
  return wrapWords(text, most).flatMap((line) => breakLine(line, most));
}

function breakLine(line: string, most: number): readonly string[] {
  const lines: string[] = [];
  let [head, tail] = takeColumns(line, most);
  while (tail !== '' && head !== '') {
    lines.push(head);
    [head, tail] = takeColumns(tail, most);
  }
  return [...lines, head + tail];
}
