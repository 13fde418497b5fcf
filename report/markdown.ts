import type { Contract } from '../contract/index.ts';
import type { Report } from '../conformance/index.ts';
import { describeRequest } from './model/exchange-line.ts';
import { describeCell, nameOperation, readMatrix } from './model/matrix.ts';
import { viewMerge } from './model/merge.ts';
import { readQuestions } from './model/question.ts';
import { viewCauses, type CauseView, type EffectView } from './cause/cause-view.ts';
import {
  describeEnd,
  describeRequests,
  listLeftOut,
  listNotTested,
  listTraffic,
  summarise,
  waiverWords,
} from './model/summary.ts';
import { countOf } from '../page/view/count.ts';
import { showLine } from '../page/view/visible.ts';

/**
 * A report in GitHub's Markdown, for the summary of a job. Holds no key.
 *
 * @param reportFile path of the `report.json` that holds the requests of replays, if one does
 */
export function renderMarkdown(report: Report, contract: Contract, reportFile?: string): string {
  const causes = viewCauses(report, contract, reportFile).failed;
  const parts = [
    `## Conformance: ${escapeMarkdown(summarise(report).sentence)}`,
    renderFacts(report),
    renderLeftOut(report),
    renderMatrix(report),
    renderMerge(report),
    ...(causes.length === 0 ? [] : ['### Failed requirements', ...causes.map(renderCause)]),
    renderWaivers(report),
    renderQuestions(report, contract),
    renderNotTested(report),
    renderTraffic(report),
    renderLeftBehind(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function renderFacts(report: Report): string {
  const { passed, failed, advised, waived, notTested, open } = summarise(report);
  const { run, target, client, traffic } = report;
  const advice = `${advised === 0 ? '' : `, ${advised} advised`}${waived === 0 ? '' : `, ${waived} waived`}`;
  const plan = target.plan === undefined ? '' : `, plan ${escapeMarkdown(target.plan)}`;
  const end = describeEnd(report);
  const early = end === undefined ? '' : ` ${escapeMarkdown(end)}.`;
  return `**${passed} passed, ${failed} failed**${advice}, ${notTested} not tested, ${open} open. ${describeRequests(report)}${client === undefined && traffic === undefined ? `, seed ${run.seed}` : ''}${plan}.${early}`;
}

function renderLeftOut(report: Report): string {
  const [head, ...parts] = listLeftOut(report).map((line) => escapeMarkdown(line));
  return head === undefined ? '' : `**${head}.**\n\n${parts.map((part) => `- ${part}`).join('\n')}`;
}

function renderMatrix(report: Report): string {
  const { families, rows } = readMatrix(report);
  return renderTable(
    ['Operation', ...families],
    rows.map(({ operation, cells }) => [nameOperation(operation), ...cells.map(describeCell)]),
  );
}

function renderMerge(report: Report): string {
  const view = viewMerge(report);
  if (view === undefined) return '';
  const sentences = view.sentences.map((each) => `- ${escapeMarkdown(each)}`).join('\n');
  return `### Shards\n\n${renderTable(view.columns, view.rows)}\n\n${sentences}`;
}

function renderCause({ sentence, failure, seen, effects }: CauseView): string {
  const { requirement, source, expected, received, steps, replay } = failure;
  const sent = steps.map(({ exchange }) => `sent      ${describeRequest(exchange.request)}`);
  const curls = steps.flatMap(({ curl }) => curl ?? []);
  const commands = [...curls, ...(replay === undefined ? [] : [replay])];
  return [
    `#### ${escapeMarkdown(sentence ?? requirement.id)}`,
    `${sentence === undefined ? '' : `${escapeMarkdown(requirement.id)}: `}${escapeMarkdown(requirement.sentence)} Required in ${escapeMarkdown(source)}.`,
    fence('text', [...sent, `expected  ${expected}`, `received  ${received}`]),
    ...(commands.length === 0 ? [] : [fence('sh', commands)]),
    ...(seen.length === 0 ? [] : [`Seen: ${escapeMarkdown(seen.join('; '))}.`]),
    ...(effects.length === 0 ? [] : [`Effects:\n\n${effects.map(renderEffect).join('\n')}`]),
  ].join('\n\n');
}

function renderEffect({ requirement, expected, received, count }: EffectView): string {
  const text = `${requirement.id} (${countOf(count, 'time')}): expected ${expected}, received ${received}`;
  return `- ${escapeMarkdown(text)}`;
}

function renderWaivers({ waivers }: Report): string {
  const rows = waivers.map(({ waiver, state }) => [
    waiver.requirement,
    waiverWords[state],
    waiver.reason,
    waiver.owner,
    waiver.expires,
  ]);
  const head = ['Requirement', 'State', 'Reason', 'Owner', 'Until'];
  return rows.length === 0 ? '' : `### Waivers\n\n${renderTable(head, rows)}`;
}

function renderQuestions(report: Report, contract: Contract): string {
  const rows = readQuestions(report, contract).flatMap(({ id, answer }) =>
    answer === undefined ? [] : [[id, answer.name, answer.evidence[0]?.evidence ?? '']],
  );
  const head = ['Question', 'This target', 'Evidence'];
  return rows.length === 0 ? '' : `### Open questions\n\n${renderTable(head, rows)}`;
}

function renderNotTested(report: Report): string {
  const lines = listNotTested(report).map(
    ({ reason, ids }) => `- ${ids.length}: ${escapeMarkdown(reason)}`,
  );
  return lines.length === 0 ? '' : ['### Not tested', '', ...lines].join('\n');
}

function renderTraffic(report: Report): string {
  const rows = listTraffic(report).map(({ kind, sentence, count, example }) => [
    kind,
    `${count}`,
    sentence,
    example,
  ]);
  const head = ['Kind', 'Times', 'What', 'First seen in'];
  return rows.length === 0 ? '' : `### Traffic\n\n${renderTable(head, rows)}`;
}

function renderLeftBehind({ leftBehind, run }: Report): string {
  return leftBehind.length === 0
    ? ''
    : `Left behind: ${countOf(leftBehind.length, 'item')}, tagged ${escapeMarkdown(run.tag)}.`;
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [renderRow(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(renderRow)].join('\n');
}

function renderRow(cells: readonly string[]): string {
  const escaped = cells.map((cell) =>
    escapeMarkdown(cell, (code) => code.replaceAll('|', String.raw`\|`)),
  );
  return `| ${escaped.join(' | ')} |`;
}

/** Lines as a block of code, with a fence longer than any run of backticks in it. */
function fence(language: string, lines: readonly string[]): string {
  const text = lines.join('\n');
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}

/**
 * A text in which Markdown and HTML find nothing to act on (CommonMark section 2.4) but what is between
 * two backticks: that is code, in which nothing else acts (section 6.1).
 */
function escapeMarkdown(text: string, escapeCode = (code: string): string => code): string {
  const parts = showLine(text).split(/(`[^`]+`)/);
  return parts.map((part, at) => (at % 2 === 1 ? escapeCode(part) : escapePlain(part))).join('');
}

function escapePlain(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]()#+!|>~@$]/g, String.raw`\$&`);
}
