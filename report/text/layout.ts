import { styleText } from 'node:util';
import { countColumns, fitColumns } from './columns.ts';
import { type VisibleText, joinShown, reshape, show, spaces } from '../../page/view/visible.ts';

/**
 * Colours for a terminal: a text that is laid out already, with or without colour. `mark` is for a
 * stretch that differs.
 */
export type Paint = Readonly<Record<Tone, (text: VisibleText) => VisibleText>>;

type Tone = 'bad' | 'good' | 'doubtful' | 'quiet' | 'strong' | 'mark';

/** For files, pipes and people who want no colour. */
export const plainPaint: Paint = {
  bad: plain,
  good: plain,
  doubtful: plain,
  quiet: plain,
  strong: plain,
  mark: plain,
};

/** In the terminal's own colours, so that they fit its background. */
export const ansiPaint: Paint = {
  bad: styled(['bold', 'red']),
  good: styled(['green']),
  doubtful: styled(['yellow']),
  quiet: styled(['dim']),
  strong: styled(['bold']),
  mark: styled(['inverse', 'red']),
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

/** Where nobody says how wide the terminal is. */
export const plainLayout: TextLayout = { width: 100, paint: plainPaint };

/** Sections with an empty line between them; empty ones are left out. */
export function joinSections(sections: readonly VisibleText[]): VisibleText {
  const filled = sections.filter((section) => section !== '');
  return show`${joinShown(filled, '\n\n')}\n`;
}

/** Lines under a title, if it is not empty; empty where there are none. */
export function renderSection(
  title: VisibleText,
  lines: readonly VisibleText[],
  { paint }: TextLayout,
): VisibleText {
  return lines.length === 0
    ? show``
    : joinShown([...(title === '' ? [] : [paint.strong(title)]), ...lines], '\n');
}

/** A cell of a table, with the colour that its text gets once it is laid out. */
export interface TableCell {
  readonly text: VisibleText;
  readonly paint: (text: VisibleText) => VisibleText;
}

export type Table = readonly (readonly TableCell[])[];

/** Lines up columns. Lines wider than the layout lose the end of their last cell. */
export function renderTable(rows: Table, { width }: TextLayout): VisibleText {
  const widths = columnWidths(rows);
  return joinShown(
    rows.map((row) => renderRow(row, widths, width)),
    '\n',
  );
}

function columnWidths(rows: Table): readonly number[] {
  return (rows[0] ?? []).map((_, column) =>
    rows.reduce((width, row) => Math.max(width, countColumns(row[column]?.text ?? '')), 0),
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

export function tableWidth(rows: Table): number {
  return columnWidths(rows).reduce((sum, each) => sum + each + 2, -2);
}

export function transpose(rows: Table): Table {
  return (rows[0] ?? []).map((_, column) => rows.flatMap((row) => row[column] ?? []));
}
