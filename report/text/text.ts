import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { countOf } from '../../page/view/count.ts';
import { type VisibleText, joinShown, show, showLine, spaces } from '../../page/view/visible.ts';
import type { CauseView } from '../cause/cause-view.ts';
import { countInForce, describeEnd, describeRequests, summarise } from '../model/summary.ts';
import {
  readSections,
  type Block,
  type Cell,
  type ReportSection,
  type Table as SectionTable,
} from '../sections/sections.ts';
import { renderTextCause } from './cause.ts';
import { fitColumns, wrapWords } from './columns.ts';
import { renderTextAdvice } from './failure.ts';
import {
  joinSections,
  plainLayout,
  renderSection,
  renderTable,
  type TextLayout,
  tableWidth,
  transpose,
  type Table,
  type TableCell,
} from './layout.ts';
import { plain, type Paint } from './paint.ts';

/** The verdict and the failures only. Parameters as for `renderText`. */
export function renderBriefText(
  report: Report,
  contract: Contract,
  layout = plainLayout,
  reportFile?: string,
): VisibleText {
  const { failures, waivers, shards, document } = readSections(report, contract, reportFile);
  return joinSections([
    listCauses(failures, layout),
    renderFailures(failures, layout),
    ...[waivers, shards].map((each) => renderReportSection(each, layout)),
    renderReportSection(document, layout, 3),
    renderSummary(report, layout),
  ]);
}

/**
 * The whole report for a terminal. Default layout: 100 columns without colour.
 *
 * @param reportFile path of the `report.json` that holds the requests of replays, if one does
 */
export function renderText(
  report: Report,
  contract: Contract,
  layout = plainLayout,
  reportFile?: string,
): VisibleText {
  const sections = readSections(report, contract, reportFile);
  const { failures, shards, advised, waivers, questions, traffic, document } = sections;
  return joinSections([
    listCauses(failures, layout),
    renderTextMatrix(sections.requirements, layout),
    renderReportSection(shards, layout),
    renderFailures(failures, layout),
    ...[
      advised,
      waivers,
      questions,
      sections.notTested,
      sections.leftBehind,
      traffic,
      document,
    ].map((each) => renderReportSection(each, layout)),

    renderSummary(report, layout),
  ]);
}

/** A section under its title. `most`: so many examples are shown. */
function renderReportSection(
  { title, blocks }: ReportSection,
  layout: TextLayout,
  most = 10,
): VisibleText {
  const lines = blocks.flatMap((block) => renderBlock(block, title, layout, most));
  const isTitled = blocks.every(
    (each) => each.kind !== 'line' && !(each.kind === 'list' && each.sentence !== undefined),
  );
  return renderSection(isTitled ? showLine(title) : show``, lines, layout);
}

function renderBlock(
  block: Block,
  title: string,
  layout: TextLayout,
  most: number,
): readonly VisibleText[] {
  const { width } = layout;
  switch (block.kind) {
    case 'causes':
      return block.causes.map(({ failure }) => renderTextAdvice(failure, layout));
    case 'table':
      return renderRows(block, layout);
    case 'list': {
      const { sentence, items, more = 0 } = block;
      const shown = sentence === undefined ? items : items.slice(0, most);
      const rest = more + items.length - shown.length;
      return [
        ...(sentence === undefined ? [] : wrapWords(show`${showLine(sentence)}:`, width)),
        ...shown.flatMap((each) => indent(showLine(each), 2, width)),
        ...(rest === 0 ? [] : [show`  and ${rest} more`]),
      ];
    }
    case 'reasons':
      return block.reasons.map(({ reason, ids }) => {
        const named = joinShown(ids.slice(0, 3).map(showLine), ', ');
        const some = show`${named}${ids.length > 3 ? ', ...' : ''}`;
        const why = showLine(reason);
        // What a client has to do is read to its end.
        return block.isOfClient
          ? joinShown(indent(show`${some}: ${why}`, 2, width), '\n')
          : fitColumns(show`  ${ids.length} because ${why}: ${some}`, width);
      });
    case 'line':
      return [fitColumns(show`${showLine(title)}: ${showLine(block.text)}`, width)];
  }
}

/** Rows in columns; those with a sentence as the sentence below their head. */
function renderRows({ columns, rows }: SectionTable, layout: TextLayout): readonly VisibleText[] {
  const { paint, width } = layout;
  const shown = rows.filter(({ isMinor = false }) => !isMinor);
  if (shown.some(({ sentence }) => sentence !== undefined))
    return [...Map.groupBy(shown, ({ cells: [head] }) => textOf(head))].flatMap(([head, some]) => [
      show`  ${head}`,
      ...some.flatMap(({ sentence = '' }) => indent(showLine(sentence), 4, width)),
    ]);
  const cells = shown.map((row) => row.cells.map((cell) => ({ text: textOf(cell), paint: plain })));
  const head = columns.map((name) => ({ text: showLine(name), paint: paint.quiet }));
  return cells.length === 0
    ? []
    : [
        renderTable(
          [head, ...cells].map(([first, ...rest]) => [
            ...(first === undefined ? [] : [{ ...first, text: show`  ${first.text}` }]),
            ...rest,
          ]),
          layout,
        ),
      ];
}

function textOf(cell: Cell): VisibleText {
  return showLine(typeof cell === 'string' ? cell : cell.text);
}

/** A text that is broken between words, so far from the left, its further lines by 2 more. */
function indent(text: VisibleText, by: 2 | 4, width: number): readonly VisibleText[] {
  return wrapWords(text, width - by - 2).map(
    (line, index) => show`${spaces(index === 0 || by === 4 ? by : by + 2)}${line}`,
  );
}

/** So many causes fit on a screen with the table of requirements. */
const mostCauses = 20;

/** A line for each of several causes, so that the first screen says what is wrong. */
function listCauses(section: ReportSection, layout: TextLayout): VisibleText {
  const causes = causesOf(section);
  if (causes.length < 2) return show``;
  const lines = causes
    .slice(0, mostCauses)
    .map((cause) => fitColumns(show`  ${headlineOf(cause)}`, layout.width));
  const more = causes.length - lines.length;
  return renderSection(
    show`${countOf(causes.length, 'cause')} of failures, details below`,
    [...lines, ...(more > 0 ? [show`  and ${more} more`] : [])],
    layout,
  );
}

function causesOf({ blocks }: ReportSection): readonly CauseView[] {
  return blocks.flatMap((block) => (block.kind === 'causes' ? block.causes : []));
}

/** The sentence of a cause, or what its one requirement expected and received. */
function headlineOf({ sentence, failure }: CauseView): VisibleText {
  const { requirement, expected, received } = failure;
  return (
    sentence ??
    show`${showLine(requirement.id)}: expected ${fitColumns(expected, 40)}, received ${received}`
  );
}

function renderFailures(section: ReportSection, layout: TextLayout): VisibleText {
  return joinShown(
    causesOf(section).map((cause) => renderTextCause(cause, layout)),
    '\n\n',
  );
}

function renderSummary(report: Report, { width, paint }: TextLayout): VisibleText {
  const { sentence, passed, failed, advised, waived, notTested, open } = summarise(report);
  const { run, outcome, client, traffic } = report;
  const extra = show`${waived === 0 ? '' : show`, ${waived} waived`}${advised === 0 ? '' : show`, ${advised} advised`}`;
  const end = describeEnd(report);
  const lines = [
    show`${showLine(sentence)}: ${passed} passed, ${failed} failed${extra}, ${notTested} not tested, ${open} open.`,
    show`${showLine(describeRequests(report))}${client === undefined && traffic === undefined ? show`, seed ${run.seed}` : ''}.`,
    ...(end === undefined ? [] : [show`${showLine(end)}.`]),
    ...(outcome === 'failed'
      ? []
      : report.unserved.map((each) => show`${showLine(each.sentence)}.`)),
  ];
  const valid = countInForce(report) === 0 ? paint.good : paint.doubtful;
  const tone = outcome === 'conforms' ? valid : paint.bad;
  const told = lines.flatMap((line, index) =>
    wrapWords(line, width).map((part) => (index === 0 ? tone(part) : part)),
  );
  return joinShown(told, '\n');
}

/** Operations by families: whichever way round fits, else in pieces one below the other. */
function renderTextMatrix({ blocks }: ReportSection, { width, paint }: TextLayout): VisibleText {
  const [block] = blocks;
  if (block?.kind !== 'table') return show``;
  const [, ...families] = block.columns;
  const table = [
    ['', ...families].map((text) => ({ text: showLine(text), paint: paint.quiet })),
    ...block.rows.map(({ cells }) =>
      cells.map((cell, column) => {
        const text = textOf(cell);
        return { text, paint: column === 0 ? paint.strong : toneOf(text, paint) };
      }),
    ),
  ];
  const turned = transpose(table);
  const fitting = [table, turned].find((each) => tableWidth(each) <= width);
  const pieces = fitting === undefined ? splitTable(turned, width) : [fitting];
  return joinShown(
    pieces.map((piece) => renderTable(piece, { width, paint })),
    '\n\n',
  );
}

/** By the words of `describeCell`. */
function toneOf(text: string, paint: Paint): TableCell['paint'] {
  if (text.includes('FAILED')) return paint.bad;
  return text.includes('/') ? paint.doubtful : paint.good;
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
