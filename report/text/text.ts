import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { fitColumns, wrapWords } from './columns.ts';
import { readQuestions } from '../model/question.ts';
import { listFailures } from '../model/failure.ts';
import {
  describeRequests,
  describeSeconds,
  listNotTested,
  summarise,
  waiverWords,
} from '../model/summary.ts';
import { joinSections, plainLayout, renderTable, type TextLayout } from './layout.ts';
import { renderTextMatrix } from './matrix.ts';
import { renderTextAdvice, renderTextFailure } from './failure.ts';
import { readTimeline, sumWaits } from '../model/timeline.ts';
import { showLine } from '../model/visible.ts';

/** The verdict and the failures only. Default layout: 100 columns without colour. */
export function renderBriefText(report: Report, contract: Contract, layout = plainLayout): string {
  return joinSections([
    renderFailures(report, contract, layout),
    renderWaivers(report, layout),
    renderSummary(report, contract, layout),
  ]);
}

/** The whole report for a terminal. Default layout: 100 columns without colour. */
export function renderText(report: Report, contract: Contract, layout = plainLayout): string {
  return joinSections([
    renderTextMatrix(report, layout),
    renderFailures(report, contract, layout),
    renderAdvice(report, contract, layout),
    renderWaivers(report, layout),
    renderQuestions(report, contract, layout),
    renderNotTested(report, layout),
    renderLeftBehind(report, layout),
    renderSummary(report, contract, layout),
  ]);
}

function renderFailures(report: Report, contract: Contract, layout: TextLayout): string {
  return listFailures('failed', report, contract)
    .map((failure) => renderTextFailure(failure, layout))
    .join('\n\n');
}

function renderAdvice(report: Report, contract: Contract, layout: TextLayout): string {
  const failures = listFailures('advised', report, contract).map((failure) =>
    renderTextAdvice(failure, layout),
  );
  return failures.length === 0
    ? ''
    : [layout.paint.strong('Advised, not failed'), ...failures].join('\n');
}

function renderWaivers({ waivers }: Report, { width, paint }: TextLayout): string {
  const lines = waivers.flatMap(({ waiver, state }) => [
    `  ${waiver.requirement}`,
    ...wrapWords(
      `${waiverWords[state]}. ${showLine(waiver.reason)} (${showLine(waiver.owner)}, until ${waiver.expires})`,
      width - 4,
    ).map((line) => `    ${line}`),
  ]);
  return lines.length === 0 ? '' : [paint.strong('Waivers'), ...lines].join('\n');
}

function renderQuestions(report: Report, contract: Contract, layout: TextLayout): string {
  const { paint } = layout;
  const rows = readQuestions(report, contract).flatMap(({ id, choices }) => {
    const [first] = choices;
    const cells = [
      `  ${id}`,
      choices.map((choice) => choice.id).join(', '),
      first?.evidence[0]?.evidence ?? '',
    ];
    return first
      ? [cells.map((text, column) => ({ text, paint: column === 2 ? paint.quiet : String }))]
      : [];
  });
  return rows.length === 0
    ? ''
    : `${paint.strong('Left open by the contract, and what this target does')}\n${renderTable(rows, layout)}`;
}

function renderNotTested(report: Report, { width, paint }: TextLayout): string {
  const lines = listNotTested(report).map(({ reason, ids }) =>
    fitColumns(
      `  ${ids.length} since ${reason}: ${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', ...' : ''}`,
      width,
    ),
  );
  return lines.length === 0 ? '' : [paint.strong('Not tested'), ...lines].join('\n');
}

function renderLeftBehind({ leftBehind, run }: Report, { width }: TextLayout): string {
  if (leftBehind.length === 0) return '';
  const ids = leftBehind.map(({ id }) => showLine(id));
  const shown =
    ids.length > 6 ? `${ids.slice(0, 3).join(', ')}, ..., ${ids.at(-1) ?? ''}` : ids.join(', ');
  return fitColumns(
    `Left behind: ${ids.length === 1 ? '1 item' : `${ids.length} items`}, tagged ${run.tag} (${shown})`,
    width,
  );
}

function renderSummary(report: Report, contract: Contract, { width, paint }: TextLayout): string {
  const { sentence, passed, failed, advised, waived, notTested, open } = summarise(report);
  const { run, outcome, client } = report;
  const waited = client === undefined ? sumWaits(readTimeline(report, contract).waits) : 0;
  const extra = `${waived === 0 ? '' : `, ${waived} waived`}${advised === 0 ? '' : `, ${advised} advised`}`;
  const lines = [
    `${sentence}: ${passed} passed, ${failed} failed${extra}, ${notTested} not tested, ${open} open.`,
    `${describeRequests(report)}${waited === 0 ? '' : `, ${describeSeconds(waited)} of it waiting`}${client === undefined ? `, seed ${run.seed}` : ''}.`,
    ...(run.endedEarly === undefined ? [] : [`The run ended early: ${run.endedEarly}.`]),
  ];
  const tone = outcome === 'conforms' ? paint.good : paint.bad;
  return lines
    .flatMap((line, index) =>
      wrapWords(line, width).map((part) => (index === 0 ? tone(part) : part)),
    )
    .join('\n');
}
