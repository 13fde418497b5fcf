import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { fitColumns, wrapWords } from './columns.ts';
import { readQuestions } from '../model/question.ts';
import { viewCauses, type CauseView } from '../cause/cause-view.ts';
import {
  countInForce,
  describeRequests,
  describeSeconds,
  describeWaiver,
  listNotTested,
  listTraffic,
  summarise,
  waiverWords,
} from '../model/summary.ts';
import { countOf } from '../../view/count.ts';
import {
  joinSections,
  plainLayout,
  renderSection,
  renderTable,
  type TextLayout,
} from './layout.ts';
import { viewMerge } from '../model/merge.ts';
import { renderTextMatrix } from './matrix.ts';
import { renderTextCause } from './cause.ts';
import { renderTextAdvice } from './failure.ts';
import { readTimeline, sumWaits } from '../model/timeline.ts';
import { showLine } from '../../view/visible.ts';

/** The verdict and the failures only. Parameters as for `renderText`. */
export function renderBriefText(
  report: Report,
  contract: Contract,
  layout = plainLayout,
  reportFile?: string,
): string {
  return joinSections([
    renderFailures(viewCauses(report, contract, reportFile).failed, layout),
    renderWaivers(report, layout),
    renderMerge(report, layout),
    renderSummary(report, contract, layout),
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
): string {
  const { failed, advised } = viewCauses(report, contract, reportFile);
  return joinSections([
    renderTextMatrix(report, layout),
    renderMerge(report, layout),
    renderFailures(failed, layout),
    renderAdvice(advised, layout),
    renderWaivers(report, layout),
    renderQuestions(report, contract, layout),
    renderNotTested(report, layout),
    renderLeftBehind(report, layout),
    renderTraffic(report, layout),
    renderSummary(report, contract, layout),
  ]);
}

function renderMerge(report: Report, layout: TextLayout): string {
  const view = viewMerge(report);
  if (view === undefined) return '';
  const [head = [], ...rows] = [view.columns, ...view.rows].map((row, index) =>
    row.map((text) => ({ text, paint: index === 0 ? layout.paint.quiet : String })),
  );
  const sentences = view.sentences.flatMap((each) =>
    wrapWords(showLine(each), layout.width - 4).map(
      (line, index) => `${index === 0 ? '  ' : '    '}${line}`,
    ),
  );
  return renderSection('Shards', [renderTable([head, ...rows], layout), ...sentences], layout);
}

function renderFailures(causes: readonly CauseView[], layout: TextLayout): string {
  return causes.map((cause) => renderTextCause(cause, layout)).join('\n\n');
}

function renderAdvice(causes: readonly CauseView[], layout: TextLayout): string {
  const lines = causes.map(({ failure }) => renderTextAdvice(failure, layout));
  return renderSection('Advised, not failed', lines, layout);
}

function renderWaivers({ waivers }: Report, layout: TextLayout): string {
  const lines = waivers.flatMap(({ waiver, state }) => {
    const text = `${waiverWords[state]}. ${showLine(describeWaiver(waiver))}`;
    return [
      `  ${waiver.requirement}`,
      ...wrapWords(text, layout.width - 4).map((line) => `    ${line}`),
    ];
  });
  return renderSection('Waivers', lines, layout);
}

function renderQuestions(report: Report, contract: Contract, layout: TextLayout): string {
  const rows = readQuestions(report, contract).flatMap(({ id, choices }) => {
    const [first] = choices;
    if (first === undefined) return [];
    const names = choices.map((choice) => choice.id).join(', ');
    return [
      [
        { text: `  ${id}`, paint: String },
        { text: names, paint: String },
        { text: first.evidence[0]?.evidence ?? '', paint: layout.paint.quiet },
      ],
    ];
  });
  const title = 'Left open by the contract, and what this target does';
  return renderSection(title, rows.length === 0 ? [] : [renderTable(rows, layout)], layout);
}

function renderNotTested(report: Report, layout: TextLayout): string {
  const lines = listNotTested(report).map(({ reason, ids }) => {
    const some = `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', ...' : ''}`;
    // What a client has to do is read to its end.
    return report.client === undefined
      ? fitColumns(`  ${ids.length} since ${reason}: ${some}`, layout.width)
      : `  ${wrapWords(`${some}: ${reason}`, layout.width - 4).join('\n    ')}`;
  });
  return renderSection('Not tested', lines, layout);
}

function renderLeftBehind({ leftBehind, run }: Report, { width }: TextLayout): string {
  if (leftBehind.length === 0) return '';
  const ids = leftBehind.map(({ id }) => showLine(id));
  const shown = ids.length > 6 ? [...ids.slice(0, 3), '...', ...ids.slice(-1)] : ids;
  const items = countOf(ids.length, 'item');
  return fitColumns(`Left behind: ${items}, tagged ${run.tag} (${shown.join(', ')})`, width);
}

/** What is told of traffic, the lines of one kind together. */
function renderTraffic(report: Report, layout: TextLayout): string {
  const kinds = Map.groupBy(listTraffic(report), ({ kind }) => kind);
  const sections = [...kinds].map(([kind, lines]) => {
    const told = lines.map(({ sentence, count, example }) => {
      const shown = example === '' || sentence.startsWith(example) ? '' : ` (${example})`;
      return fitColumns(
        `  ${countOf(count, 'time')}: ${showLine(sentence)}${showLine(shown)}`,
        layout.width,
      );
    });
    return renderSection(kind, told, layout);
  });
  return joinSections(sections).trimEnd();
}

function renderSummary(report: Report, contract: Contract, { width, paint }: TextLayout): string {
  const { sentence, passed, failed, advised, waived, notTested, open } = summarise(report);
  const { run, outcome, client, merge, traffic } = report;
  // Several keys wait at the same time, and traffic has no plan to wait for.
  const isOneRun = [client, merge, traffic].every((other) => other === undefined);
  const waited = isOneRun ? sumWaits(readTimeline(report, contract).waits) : 0;
  const extra = `${waived === 0 ? '' : `, ${waived} waived`}${advised === 0 ? '' : `, ${advised} advised`}`;
  const lines = [
    `${sentence}: ${passed} passed, ${failed} failed${extra}, ${notTested} not tested, ${open} open.`,
    `${describeRequests(report)}${waited === 0 ? '' : `, ${describeSeconds(waited)} of it waiting`}${client === undefined && traffic === undefined ? `, seed ${run.seed}` : ''}.`,
    ...(run.endedEarly === undefined ? [] : [`The run ended early: ${run.endedEarly}.`]),
    ...(outcome === 'failed' ? [] : report.unserved.map(({ sentence }) => `${sentence}.`)),
  ];
  const lawful = countInForce(report) === 0 ? paint.good : paint.doubtful;
  const tone = outcome === 'conforms' ? lawful : paint.bad;
  return lines
    .flatMap((line, index) =>
      wrapWords(line, width).map((part) => (index === 0 ? tone(part) : part)),
    )
    .join('\n');
}
