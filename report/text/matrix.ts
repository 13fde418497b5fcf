import type { Report } from '../../conformance/index.ts';
import { describeCell, nameOperation, readMatrix, type Cell } from '../model/matrix.ts';
import { type VisibleText, joinShown, showLine } from '../../page/view/visible.ts';
import type { Paint } from './paint.ts';
import {
  renderTable,
  tableWidth,
  transpose,
  type Table,
  type TableCell,
  type TextLayout,
} from './layout.ts';

/** Operations by families: whichever way round fits, else in pieces one below the other. */
export function renderTextMatrix(report: Report, layout: TextLayout): VisibleText {
  const table = readTable(report, layout.paint);
  const turned = transpose(table);
  const fitting = [table, turned].find((each) => tableWidth(each) <= layout.width);
  if (fitting) return renderTable(fitting, layout);
  return joinShown(
    splitTable(turned, layout.width).map((piece) => renderTable(piece, layout)),
    '\n\n',
  );
}

function readTable(report: Report, paint: Paint): Table {
  const { families, rows } = readMatrix(report);
  const head = ['', ...families].map((text) => ({ text: showLine(text), paint: paint.quiet }));
  return [
    head,
    ...rows.map(({ operation, cells }) => [
      { text: showLine(nameOperation(operation)), paint: paint.strong },
      ...cells.map((cell) => readCell(cell, paint)),
    ]),
  ];
}

function readCell(cell: Cell, paint: Paint): TableCell {
  const tone =
    cell.failed > 0 ? paint.bad : cell.notTested + cell.waived > 0 ? paint.doubtful : paint.good;
  return { text: showLine(describeCell(cell)), paint: tone };
}

/** Pieces of a table that fit, each with its first column. */
function splitTable(table: Table, width: number): readonly Table[] {
  const pieces: number[][] = [[]];
  const columns = (table[0] ?? []).keys().filter((column) => column > 0);
  for (const column of columns) {
    const piece = pieces.at(-1) ?? [];
    if (piece.length > 0 && tableWidth(pick(table, [...piece, column])) > width)
      pieces.push([column]);
    else piece.push(column);
  }
  return pieces.map((piece) => pick(table, piece));
}

function pick(table: Table, columns: readonly number[]): Table {
  return table.map((row) => [0, ...columns].flatMap((column) => row[column] ?? []));
}
