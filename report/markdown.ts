import type { Contract } from '../contract/contract.ts';
import type { Report } from '../conformance/index.ts';
import { describeRequest } from './model/exchange-line.ts';
import type { CauseView, EffectView } from './cause/causes.ts';
import {
  describeCounts,
  describeEnd,
  describeRequests,
  describeVerdict,
  nameSome,
} from './model/summary.ts';
import { describeCell, nameOperation } from './model/matrix.ts';
import { readSections, type Block, type ReportSection, type Table } from './sections/sections.ts';
import { countOf } from '../page/view/count.ts';
import { showLine } from '../page/view/visible.ts';

/**
 * A report in GitHub's Markdown, for the summary of a job. Contains no key.
 *
 * @param reportFile path of the `report.json` to which replay lines refer, if there is one
 */
export function renderMarkdown(report: Report, contract: Contract, reportFile?: string): string {
  const { plan } = report.target;
  const end = describeEnd(report);
  const run = `${describeRequests(report)}${plan === undefined ? '' : `, plan ${plan}`}.`;
  const facts = escapeMarkdown(end === undefined ? run : `${run} ${end}.`);
  const parts = [
    `## Conformance: ${escapeMarkdown(describeVerdict(report))}`,
    `**${describeCounts(report)}.** ${facts}`,
    ...readSections(report, contract, reportFile).map(renderSection),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function renderSection({ title, blocks }: ReportSection): string {
  const parts = blocks.map(renderBlock).filter((part) => part !== '');
  return parts.length === 0 ? '' : [`### ${escapeMarkdown(title)}`, ...parts].join('\n\n');
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'causes':
      if (block.level === 'waived') return '';
      return block.level === 'failed'
        ? block.causes.map(renderCause).join('\n\n')
        : renderList(block.causes.map(({ failure }) => describeFailure(failure, failure.more + 1)));
    case 'matrix':
      return renderTable({
        columns: ['Operation', ...block.matrix.families],
        rows: block.matrix.rows.map(({ operation, cells }) => ({
          cells: [nameOperation(operation), ...cells.map(describeCell)],
        })),
      });
    case 'table':
      return renderTable(block);
    case 'list': {
      const { sentence, items, more = 0 } = block;
      const list = renderList([...items, ...(more === 0 ? [] : [`and ${more} more`])]);
      return sentence === undefined ? list : `${escapeMarkdown(sentence)}.\n\n${list}`;
    }
    case 'names':
      return `${escapeMarkdown(`${block.sentence}: ${nameSome(block.names)}`)}.`;
    case 'facts':
      return '';
  }
}

function renderList(items: readonly string[]): string {
  return items.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
}

function renderCause({ sentence, failure, seen, effects }: CauseView): string {
  const { requirement, source, expected, received, steps, replay } = failure;
  const sent = steps.map(({ exchange }) => `sent      ${describeRequest(exchange.request)}`);
  const curls = steps.flatMap(({ curl }) => curl ?? []);
  const commands = [...curls, ...(replay === undefined ? [] : [replay])];
  return [
    `#### ${escapeMarkdown(sentence)}`,
    `${escapeMarkdown(`${requirement.id}: ${requirement.sentence}`)} Required in ${escapeMarkdown(source)}.`,
    fence('text', [...sent, `expected  ${expected}`, `received  ${received}`]),
    ...(commands.length === 0 ? [] : [fence('sh', commands)]),
    ...(seen === undefined ? [] : [`Seen ${seen}.`]),
    ...(effects.length === 0
      ? []
      : [`Effects:\n\n${renderList(effects.map((each) => describeFailure(each, each.count)))}`]),
  ].join('\n\n');
}

function describeFailure(
  { requirement, expected, received }: Omit<EffectView, 'count'>,
  count: number,
): string {
  return `${requirement.id} (${countOf(count, 'time')}): expected ${expected}, received ${received}`;
}

function renderTable({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const shown = rows.filter(({ isMinor = false }) => !isMinor);
  return shown.length === 0
    ? ''
    : [
        renderRow(columns),
        `|${' --- |'.repeat(columns.length)}`,
        ...shown.map(({ cells }) =>
          renderRow(cells.map((cell) => (typeof cell === 'string' ? cell : cell.text))),
        ),
      ].join('\n');
}

function renderRow(cells: readonly string[]): string {
  const escaped = cells.map((cell) =>
    escapeMarkdown(cell, (code) => code.replaceAll('|', String.raw`\|`)),
  );
  return `| ${escaped.join(' | ')} |`;
}

/** Lines as a code block. The fence is longer than any run of backticks in them. */
function fence(language: string, lines: readonly string[]): string {
  const text = lines.join('\n');
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}

/**
 * Escapes a text for Markdown and HTML (CommonMark section 2.4), except code between two backticks
 * (section 6.1).
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
