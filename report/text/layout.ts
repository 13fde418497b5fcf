import { styleText } from 'node:util';
import { type VisibleText, joinShown, reshape, show, spaces } from '../../page/view/visible.ts';

/** Colours for a terminal. Applied to text whose layout is final, so that widths do not change. */
export type Paint = Readonly<Record<Tone, (text: VisibleText) => VisibleText>>;

type Tone = 'bad' | 'good' | 'doubtful' | 'quiet' | 'strong';

/** For files, pipes and NO_COLOR. */
export const plainPaint: Paint = {
  bad: plain,
  good: plain,
  doubtful: plain,
  quiet: plain,
  strong: plain,
};

/** Uses the terminal's own palette, which fits its background. */
export const ansiPaint: Paint = {
  bad: styled(['bold', 'red']),
  good: styled(['green']),
  doubtful: styled(['yellow']),
  quiet: styled(['dim']),
  strong: styled(['bold']),
};

export function plain(text: VisibleText): VisibleText {
  return text;
}

function styled(format: Parameters<typeof styleText>[0]): (text: VisibleText) => VisibleText {
  return (text) =>
    text === ''
      ? text
      : reshape(text, (shown) => styleText(format, shown, { validateStream: false }));
}

export interface TextLayout {
  readonly width: number;
  readonly paint: Paint;
}

/** Used if the width of the terminal is unknown. */
export const plainLayout: TextLayout = { width: 100, paint: plainPaint };

/** Joins sections with an empty line between them; skips empty ones. */
export function joinSections(sections: readonly VisibleText[]): VisibleText {
  const filled = sections.filter((section) => section !== '');
  return show`${joinShown(filled, '\n\n')}\n`;
}

/** Lines under a title; empty if there are no lines. */
export function renderSection(
  title: VisibleText,
  lines: readonly VisibleText[],
  { paint }: TextLayout,
): VisibleText {
  return lines.length === 0
    ? show``
    : joinShown([...(title === '' ? [] : [paint.strong(title)]), ...lines], '\n');
}

/** A table cell with a colour, which is applied after the layout. */
export interface TableCell {
  readonly text: VisibleText;
  readonly paint: (text: VisibleText) => VisibleText;
}

type Table = readonly (readonly TableCell[])[];

/** Aligns columns. Cuts lines that are too wide in their last cell. */
export function renderTable(rows: Table, { width }: TextLayout): VisibleText {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, countColumns(row[column]?.text ?? '')), 0),
  );
  return joinShown(
    rows.map((row) => renderRow(row, widths, width)),
    '\n',
  );
}

function renderRow(
  row: readonly TableCell[],
  widths: readonly number[],
  width: number,
): VisibleText {
  const last = row.findLastIndex(({ text }) => text !== '');
  let room = width;
  const cells = row.slice(0, last + 1).map((cell, column) => {
    const text = column === last ? fitColumns(cell.text, Math.max(12, room)) : cell.text;
    const space = column === last ? 0 : (widths[column] ?? 0) - countColumns(text) + 2;
    room -= countColumns(text) + space;
    return show`${cell.paint(text)}${spaces(space)}`;
  });
  return joinShown(cells, '');
}

/** Columns that a text occupies in a terminal: wide characters two, combining marks none. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** Shortens a text to at most this many columns, with an ellipsis. */
export function fitColumns(text: VisibleText, most: number): VisibleText;
export function fitColumns(text: string, most: number): string;
export function fitColumns(text: string, most: number): string {
  if (text.length <= most && countColumns(text) <= most) return text;
  const [head] = takeColumns(text, most - 1);
  return `${head}…`;
}

/** The longest beginning of a text that fits into this many columns. */
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

/** Scripts whose characters occupy two columns (Unicode Standard Annex 11), by block. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** Breaks a text between words; longer words get a line of their own. */
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

/** Breaks a text between words, and within words that are too long. */
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
