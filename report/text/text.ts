import type { Report } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { largest } from '../../contract/list/list.ts';
import { countOf } from '../../page/view/count.ts';
import {
  type VisibleText,
  joinShown,
  show,
  showLine,
  spaces,
  padShown,
} from '../../page/view/visible.ts';
import type { CauseView } from '../cause/causes.ts';
import { describeFailure } from '../cause/rules.ts';
import { describeCell, foldMatrix, nameOperation, type Matrix } from '../model/matrix.ts';
import {
  describeCounts,
  describeEnd,
  describeRequests,
  describeVerdict,
  isInForce,
  nameSome,
} from '../model/summary.ts';
import {
  readSections,
  type Block,
  type Cell,
  type ReportSection,
  type Table as SectionTable,
} from '../sections/sections.ts';
import {
  fitColumns,
  wrapText,
  wrapWords,
  countColumns,
  joinSections,
  plainLayout,
  renderSection,
  renderTable,
  type TextLayout,
  type TableCell,
  plain,
  type Paint,
} from './layout.ts';
import type { FailureStep, FailureView } from '../model/failure.ts';
import { describeOutcome, describeRequest } from '../model/exchange-line.ts';

/** The verdict and the failures only. Parameters as for `renderText`. */
export function renderBriefText(
  report: Report,
  contract: Contract,
  layout = plainLayout,
  reportFile?: string,
): VisibleText {
  const sections = readSections(report, contract, reportFile).filter(({ isBrief }) => isBrief);
  return renderSections(sections, report, layout);
}

/**
 * The whole report for a terminal: first one line per cause, last the verdict. Default layout: 100
 * columns without colour.
 *
 * @param reportFile path of the `report.json` to which replay lines refer, if there is one
 */
export function renderText(
  report: Report,
  contract: Contract,
  layout = plainLayout,
  reportFile?: string,
): VisibleText {
  return renderSections(readSections(report, contract, reportFile), report, layout);
}

function renderSections(
  sections: readonly ReportSection[],
  report: Report,
  layout: TextLayout,
): VisibleText {
  const { overview = [], details = [] } = Object.groupBy(sections, ({ blocks }) =>
    blocks.some(({ kind }) => kind === 'matrix') ? 'overview' : 'details',
  );
  return joinSections([
    listCauses(sections, layout),
    ...[...overview, ...details].map((each) => renderTextSection(each, layout)),
    renderSummary(report, layout),
  ]);
}

/** A section with its title, which failures and the table of requirements do not need. */
function renderTextSection({ title, blocks }: ReportSection, layout: TextLayout): VisibleText {
  const lines = blocks.flatMap((block) => renderBlock(block, layout));
  const isTitled = blocks.every(
    (each) => !(each.kind === 'causes' && each.level === 'failed') && each.kind !== 'matrix',
  );
  return renderSection(isTitled ? showLine(title) : show``, lines, layout);
}

/** Most items of one list that are shown. */
const maxItems = 10;

/** Most operations in the table of requirements. */
const maxOperations = 50;

function renderBlock(block: Block, layout: TextLayout): readonly VisibleText[] {
  const { width } = layout;
  switch (block.kind) {
    case 'causes':
      if (block.level === 'waived') return [];
      return block.level === 'advised'
        ? block.causes.map(({ failure }) => renderTextAdvice(failure, layout))
        : [
            joinShown(
              block.causes.map((cause) => renderTextCause(cause, layout)),
              '\n\n',
            ),
          ];
    case 'matrix':
      return [renderTextMatrix(block.matrix, layout)];
    case 'table':
      return renderRows(block, layout);
    case 'list': {
      const { sentence, items, more = 0 } = block;
      const shown = items.slice(0, maxItems);
      const rest = more + items.length - shown.length;
      return [
        ...(sentence === undefined ? [] : indent(show`${showLine(sentence)}:`, 2, width)),
        ...shown.flatMap((each) => indent(showLine(each), 2, width)),
        ...(rest === 0 ? [] : [show`  and ${rest} more`]),
      ];
    }
    case 'names':
      return indent(showLine(`${block.sentence}: ${nameSome(block.names)}`), 2, width);
    case 'facts':
      return [];
  }
}

/**
 * Rows in columns; a row with a sentence has it below its head.
 *
 * @internal
 */
export function renderRows(
  { columns, rows }: Pick<SectionTable, 'columns' | 'rows'>,
  layout: TextLayout,
): readonly VisibleText[] {
  const { paint, width } = layout;
  const shown = rows.filter(({ isMinor = false }) => !isMinor);
  if (shown.some(({ sentence }) => sentence !== undefined))
    return [...Map.groupBy(shown, ({ cells: [head] }) => textOf(head))].flatMap(([head, some]) => [
      ...indent(head, 2, width),
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

/** Wraps and indents a text; further lines are indented by 2 more. */
function indent(text: VisibleText, by: 2 | 4, width: number): readonly VisibleText[] {
  return wrapText(text, width - by - 2).map(
    (line, index) => show`${spaces(index === 0 ? by : 4)}${line}`,
  );
}

/** Most causes that fit on one screen with the table of requirements. */
const maxCauses = 20;

/** One line per cause, so that the first screen shows what is wrong. */
function listCauses(sections: readonly ReportSection[], layout: TextLayout): VisibleText {
  const causes = sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === 'causes' && block.level === 'failed' ? block.causes : []));
  const lines = causes
    .slice(0, maxCauses)
    .map((cause) => show`  ${fitColumns(cause.sentence, layout.width - 2)}`);
  const more = causes.length - lines.length;
  return renderSection(
    show`${countOf(causes.length, 'cause')} of failures, details below`,
    [...lines, ...(more > 0 ? [show`  and ${more} more`] : [])],
    layout,
  );
}

function renderSummary(report: Report, { width, paint }: TextLayout): VisibleText {
  const { outcome } = report;
  const unserved = outcome === 'failed' ? [] : report.unserved;
  const end = describeEnd(report);
  const more = unserved.length - maxItems;
  const lines = [
    show`${showLine(describeVerdict(report))}: ${showLine(describeCounts(report))}.`,
    show`${showLine(describeRequests(report))}.`,
    ...(end === undefined ? [] : [show`${showLine(end)}.`]),
    ...unserved.slice(0, maxItems).map((each) => show`${showLine(each.sentence)}.`),
    ...(more > 0 ? [show`${countOf(more, 'more operation')} accepted no valid request.`] : []),
  ];
  const valid = report.waivers.some(isInForce) ? paint.doubtful : paint.good;
  const tone = outcome === 'conforms' ? valid : paint.bad;
  const shown = lines.flatMap((line, index) =>
    wrapWords(line, width).map((part) => (index === 0 ? tone(part) : part)),
  );
  return joinShown(shown, '\n');
}

/**
 * A table of families by operations, in as many columns as fit. If something fails, only the
 * families in which it does: the report files have all, also those of further operations.
 */
function renderTextMatrix(matrix: Matrix, layout: TextLayout): VisibleText {
  const { width, paint } = layout;
  const { families, rows } = withFailures(foldMatrix(matrix, maxOperations));
  const names = ['', ...families].map((text) => ({ text: showLine(text), paint: paint.quiet }));
  const columns = rows.map(({ operation, cells }) => [
    { text: showLine(nameOperation(operation)), paint: paint.strong },
    ...cells.map((cell) => {
      const text = showLine(describeCell(cell));
      return { text, paint: toneOf(text, paint) };
    }),
  ]);
  const pieces: (readonly TableCell[])[][] = [];
  let free = 0;
  for (const column of columns) {
    free -= widthOf(column);
    if (pieces.length === 0 || free < -2) {
      pieces.push([names]);
      free = width - widthOf(names) - widthOf(column);
    }
    pieces.at(-1)?.push(column);
  }
  const tables = pieces.map((piece) =>
    names.map((_, row) => piece.flatMap((column) => column[row] ?? [])),
  );
  return joinShown(
    tables.map((table) => renderTable(table, layout)),
    '\n\n',
  );
}

function withFailures({ families, rows }: Matrix): Matrix {
  const kept = families.map((_, at) => rows.some(({ cells }) => (cells[at]?.failed ?? 0) > 0));
  if (!kept.includes(true)) return { families, rows };
  return {
    families: families.filter((_, at) => kept[at]),
    rows: rows.map((row) => ({ ...row, cells: row.cells.filter((_, at) => kept[at]) })),
  };
}

/** Includes the space after it. */
function widthOf(column: readonly TableCell[]): number {
  return largest(column.map(({ text }) => countColumns(text))) + 2;
}

function toneOf(text: string, paint: Paint): TableCell['paint'] {
  if (text.includes('FAILED')) return paint.bad;
  return text.includes('/') ? paint.doubtful : paint.good;
}

/** Columns before the text of a line: two of indent, then the label. */
const labelled = 13;

/**
 * The sentence of a failed requirement, and its location in the document.
 *
 * @internal
 */
export function renderRequirement(
  { requirement, source }: FailureView,
  layout: TextLayout,
): readonly VisibleText[] {
  return [
    ...labelLines(show`required`, showLine(requirement.sentence), layout),
    ...labelLines(show``, source, layout, layout.paint.quiet),
  ];
}

/**
 * What was sent, expected and received, and how to repeat it.
 *
 * @internal
 */
export function renderProof(
  { expected, received, steps, replay }: FailureView,
  layout: TextLayout,
): readonly VisibleText[] {
  return [
    ...steps.map((step, index) => {
      const text = describeStep(step, index === steps.length - 1);
      return label(index === 0 ? show`sent` : show`then`, fitColumns(text, room(layout)), layout);
    }),
    ...renderContrast({ expected, received }, layout),
    ...steps.flatMap(({ curl }, index) =>
      curl === undefined ? [] : [renderCommand(index === 0 ? show`curl` : show``, curl, layout)],
    ),
    // A single request is repeated by its curl line.
    ...(replay === undefined || (steps.length === 1 && replay.length > longestReplay)
      ? []
      : [renderCommand(show`replay`, replay, layout)]),
  ];
}

/** @internal */
function renderTextAdvice(
  { requirement, expected, received }: FailureView,
  layout: TextLayout,
): VisibleText {
  const lines = [
    show`  ${showLine(requirement.id)}`,
    ...renderContrast({ expected, received }, layout),
  ];
  return joinShown(lines, '\n');
}

function renderContrast(
  { expected, received }: Pick<FailureView, 'expected' | 'received'>,
  layout: TextLayout,
): readonly VisibleText[] {
  return [
    label(show`expected`, fitColumns(expected, room(layout)), layout),
    label(show`received`, fitColumns(received, room(layout)), layout),
  ];
}

function room({ width }: TextLayout): number {
  return Math.max(20, width - labelled);
}

/**
 * A line with a label.
 *
 * @internal
 */
export function label(name: VisibleText, text: VisibleText, { paint }: TextLayout): VisibleText {
  return show`  ${paint.quiet(padShown(name, labelled - 2))}${text}`;
}

/** A wrapped text under one label. */
function labelLines(
  name: VisibleText,
  text: VisibleText,
  layout: TextLayout,
  paint: TableCell['paint'] = plain,
): readonly VisibleText[] {
  return wrapWords(text, room(layout)).map((line, index) =>
    label(index === 0 ? name : show``, paint(line), layout),
  );
}

/** The last response is shown in full, earlier ones by their status. */
function describeStep({ exchange }: FailureStep, isLast: boolean): VisibleText {
  const request = describeRequest(exchange.request);
  return isLast ? request : show`${request} -> ${describeOutcome(exchange.outcome)}`;
}

/** A shell command, shown in full up to a length that nobody would copy. */
function renderCommand(name: VisibleText, command: VisibleText, layout: TextLayout): VisibleText {
  if (command.length <= longestCommand) return label(name, command, layout);
  // A truncated command would leave a quote open in the shell.
  const size = show`${command.length} characters`;
  return label(name, show`a line of ${size}; see the report files (--report)`, layout);
}

/** Longer replay ids contain their requests, and take several lines of a terminal. */
const longestReplay = 200;

/** Longer commands are not read or copied from a terminal. */
const longestCommand = 1500;

/** Indent below the word that begins a cause. */
const headlineIndent = '        ';

/**
 * A cause: the defect, an exchange that shows it, how to repeat it, and its effects.
 *
 * @internal
 */
function renderTextCause(cause: CauseView, layout: TextLayout): VisibleText {
  const { sentence, failure, seen, effects } = cause;
  const { paint } = layout;
  const names = effects.map(({ requirement, count }) =>
    count === 1
      ? showLine(requirement.id)
      : show`${showLine(requirement.id)} (${countOf(count, 'time')})`,
  );
  const { requirement } = failure;
  // The lines below say what was expected and received.
  const isPlain = sentence === showLine(describeFailure(requirement, failure));
  const headline = isPlain ? showLine(`Broken: ${requirement.sentence}`) : sentence;
  const [first = show``, ...rest] = wrapWords(headline, layout.width - headlineIndent.length);
  const lines = [
    show`${paint.bad(show`FAILED`)}  ${paint.strong(first)}`,
    ...rest.map((line) => show`${headlineIndent}${paint.strong(line)}`),
    label(show`breaks`, paint.strong(showLine(requirement.id)), layout),
    ...(isPlain
      ? labelLines(show`in`, failure.source, layout, paint.quiet)
      : renderRequirement(failure, layout)),
    ...renderProof(failure, layout),
    ...(seen === undefined ? [] : [label(show`seen`, seen, layout)]),
    ...(names.length === 0 ? [] : labelLines(show`effects`, showLine(nameSome(names)), layout)),
  ];
  return joinShown(lines, '\n');
}
