import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { countOf } from '../../page/view/count.ts';
import { type VisibleText, joinShown, reshape, show, showLine } from '../../page/view/visible.ts';
import { viewCauses, type CauseView } from '../cause/cause-view.ts';
import { describeCell, nameOperation, readMatrix, type Cell } from '../model/matrix.ts';
import { viewMerge } from '../model/merge.ts';
import { readQuestions } from '../model/question.ts';
import {
  countInForce,
  describeEnd,
  describeRequests,
  describeWaiver,
  listLeftOut,
  listNotTested,
  listTraffic,
  summarise,
  waiverWords,
} from '../model/summary.ts';
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
  const { failed } = viewCauses(report, contract, reportFile);
  return joinSections([
    listCauses(failed, layout),
    renderFailures(failed, layout),
    renderWaivers(report, layout),
    renderMerge(report, layout),
    renderLeftOut(report, layout, 3),
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
  const { failed, advised } = viewCauses(report, contract, reportFile);
  return joinSections([
    listCauses(failed, layout),
    renderTextMatrix(report, layout),
    renderMerge(report, layout),
    renderFailures(failed, layout),
    renderAdvice(advised, layout),
    renderWaivers(report, layout),
    renderQuestions(report, contract, layout),
    renderNotTested(report, layout),
    renderLeftBehind(report, layout),
    renderTraffic(report, layout),
    renderLeftOut(report, layout, 10),
    renderSummary(report, layout),
  ]);
}

/** `most`: so many parts are named. */
function renderLeftOut(report: Report, { width }: TextLayout, most: number): VisibleText {
  const [head, ...parts] = listLeftOut(report);
  if (head === undefined) return show``;
  const rest = (report.contract.leftOut?.count ?? 0) - Math.min(most, parts.length);
  const lines = [
    show`${showLine(head)}:`,
    ...parts.slice(0, most).map((part) => show`  ${showLine(part)}`),
    ...(rest === 0 || parts.length <= most ? [] : [show`  and ${rest} more`]),
  ];
  return joinShown(
    lines.flatMap((line) => wrapWords(line, width)),
    '\n',
  );
}

function renderMerge(report: Report, layout: TextLayout): VisibleText {
  const view = viewMerge(report);
  if (view === undefined) return show``;
  const [head = [], ...rows] = [view.columns, ...view.rows].map((row, index) =>
    row.map((text) => ({
      text: showLine(text),
      paint: index === 0 ? layout.paint.quiet : plain,
    })),
  );
  const sentences = view.sentences.flatMap((each) =>
    wrapWords(showLine(each), layout.width - 4).map(
      (line, index) => show`${index === 0 ? '  ' : '    '}${line}`,
    ),
  );
  return renderSection(show`Shards`, [renderTable([head, ...rows], layout), ...sentences], layout);
}

/** So many causes fit on a screen with the table of requirements. */
const mostCauses = 20;

/** A line for each of several causes, so that the first screen says what is wrong. */
function listCauses(causes: readonly CauseView[], layout: TextLayout): VisibleText {
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

/** The sentence of a cause, or what its one requirement expected and received. */
function headlineOf({ sentence, failure }: CauseView): VisibleText {
  const { requirement, expected, received } = failure;
  return (
    sentence ??
    show`${showLine(requirement.id)}: expected ${fitColumns(expected, 40)}, received ${received}`
  );
}

function renderFailures(causes: readonly CauseView[], layout: TextLayout): VisibleText {
  return joinShown(
    causes.map((cause) => renderTextCause(cause, layout)),
    '\n\n',
  );
}

function renderAdvice(causes: readonly CauseView[], layout: TextLayout): VisibleText {
  const lines = causes.map(({ failure }) => renderTextAdvice(failure, layout));
  return renderSection(show`Recommendations not followed`, lines, layout);
}

function renderWaivers({ waivers }: Report, layout: TextLayout): VisibleText {
  const lines = waivers.flatMap(({ waiver, state }) => {
    const text = show`${waiverWords[state]}. ${showLine(describeWaiver(waiver))}`;
    return [
      show`  ${showLine(waiver.requirement)}`,
      ...wrapWords(text, layout.width - 4).map((line) => show`    ${line}`),
    ];
  });
  return renderSection(show`Waivers`, lines, layout);
}

function renderQuestions(report: Report, contract: Contract, layout: TextLayout): VisibleText {
  const rows = readQuestions(report, contract).flatMap(({ id, answer }) =>
    answer === undefined
      ? []
      : [
          [
            { text: show`  ${showLine(id)}`, paint: plain },
            { text: showLine(answer.name), paint: plain },
            { text: showLine(answer.evidence[0]?.evidence ?? ''), paint: layout.paint.quiet },
          ],
        ],
  );
  const title = show`Open questions, and what this target does`;
  return renderSection(title, rows.length === 0 ? [] : [renderTable(rows, layout)], layout);
}

function renderNotTested(report: Report, layout: TextLayout): VisibleText {
  const lines = listNotTested(report).map(({ reason, ids }) => {
    const named = joinShown(ids.slice(0, 3).map(showLine), ', ');
    const some = show`${named}${ids.length > 3 ? ', ...' : ''}`;
    const why = showLine(reason);
    // What a client has to do is read to its end.
    return report.client === undefined
      ? fitColumns(show`  ${ids.length} because ${why}: ${some}`, layout.width)
      : show`  ${joinShown(wrapWords(show`${some}: ${why}`, layout.width - 4), '\n    ')}`;
  });
  return renderSection(show`Not tested`, lines, layout);
}

function renderLeftBehind({ leftBehind, run }: Report, { width }: TextLayout): VisibleText {
  if (leftBehind.length === 0) return show``;
  const ids = leftBehind.map(({ id }) => showLine(id));
  const shown = ids.length > 6 ? [...ids.slice(0, 3), show`...`, ...ids.slice(-1)] : ids;
  const items = countOf(ids.length, 'item');
  return fitColumns(
    show`Left behind: ${items}, tagged ${showLine(run.tag)} (${joinShown(shown, ', ')})`,
    width,
  );
}

/** What is told of traffic, the lines of one kind together. */
function renderTraffic(report: Report, layout: TextLayout): VisibleText {
  const kinds = Map.groupBy(listTraffic(report), ({ kind }) => kind);
  const sections = [...kinds].map(([kind, lines]) => {
    const told = lines.map(({ sentence, count, example }) => {
      const shown = example === '' || sentence.startsWith(example) ? '' : ` (${example})`;
      return fitColumns(
        show`  ${countOf(count, 'time')}: ${showLine(sentence)}${showLine(shown)}`,
        layout.width,
      );
    });
    return renderSection(showLine(kind), told, layout);
  });
  return reshape(joinSections(sections), (told) => told.trimEnd());
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
function renderTextMatrix(report: Report, layout: TextLayout): VisibleText {
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
