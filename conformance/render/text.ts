import type { Contract } from '../../contract/index.ts';
import { isFailure, type Report } from '../report.ts';
import type { Verdict } from '../verdict.ts';
import type { WaiverResult } from '../waiver-result.ts';
import { renderCurl } from './curl.ts';
import { readMatrix, type Cell } from './matrix.ts';

/** The verdict and the violations only. */
export function renderBriefText(report: Report, contract: Contract): string {
  return joinSections([renderViolations(report, contract), renderWaivers(report), renderSummary(report)]);
}

/** A report for a terminal: the table of operations by families, each violation as a story, what is open, what was not reached. */
export function renderText(report: Report, contract: Contract): string {
  return joinSections([
    renderMatrix(report),
    renderViolations(report, contract),
    renderAdvice(report),
    renderWaivers(report),
    renderOpen(report),
    renderUnproven(report),
    renderLeftBehind(report),
    renderSummary(report),
  ]);
}

function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function renderMatrix(report: Report): string {
  const { families, rows } = readMatrix(report);
  const table = [['', ...families], ...rows.map(({ operation, cells }) => [operation === '*' ? 'service' : operation, ...cells.map(renderCell)])];
  return renderTable(table);
}

function renderCell({ held, violated, unproven }: Cell): string {
  const all = held + violated + unproven;
  if (all === 0) return '';
  if (violated > 0) return `${violated} BROKEN`;
  return unproven > 0 ? `${held}/${all}` : `${all} held`;
}

/** Lines up columns, each as wide as its widest cell. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n');
}

function renderViolations(report: Report, contract: Contract): string {
  return report.verdicts.filter(isFailure).map((verdict) => renderViolation(verdict, report, contract)).join('\n\n');
}

function renderViolation(verdict: Verdict, report: Report, contract: Contract): string {
  const { obligation } = verdict;
  const [first] = verdict.kind === 'violated' ? verdict.violations : [];
  const exchange = first === undefined ? undefined : report.exchanges[first.exchange];
  const times = verdict.kind === 'violated' && verdict.violations.length > 1 ? ` (and ${verdict.violations.length - 1} more)` : '';
  const section = obligation.section === '' ? '' : `, from "${obligation.section}"`;
  const lines = [
    `BROKEN  ${obligation.id}${times}`,
    `  promised  ${obligation.sentence}`,
    `            ${report.contract.source} ${obligation.pointer}${section}`,
    `  expected  ${first?.expected ?? ''}`,
    `  received  ${first?.received ?? ''}`,
  ];
  const others = (first?.others ?? []).map((index) => report.exchanges[index]).filter((each) => each !== undefined);
  const curls = [...others, ...(exchange ? [exchange] : [])].map(({ request }) => renderCurl(contract, report.target.baseUrl, request));
  return [...lines, ...curls.map((curl, index) => `  ${index === 0 ? 'again   ' : 'then    '}  ${curl}`)].join('\n');
}

/** Breaches of `should`: told, not failed. */
function renderAdvice(report: Report): string {
  const lines = report.verdicts.flatMap((verdict) => {
    if (verdict.kind !== 'violated' || isFailure(verdict)) return [];
    const [first] = verdict.violations;
    return [`  ${verdict.obligation.id}: expected ${first?.expected ?? ''}, received ${first?.received ?? ''}`];
  });
  return lines.length === 0 ? '' : ['Advised, not failed', ...lines].join('\n');
}

const waiverWords: Readonly<Record<WaiverResult['state'], string>> = {
  used: 'in force: the obligation is broken',
  unreached: 'not needed in this run: the obligation was not reached',
  expired: 'OUT OF DATE, which fails the run',
  needless: 'NEEDLESS, which fails the run: the obligation holds',
};

function renderWaivers({ waivers }: Report): string {
  const lines = waivers.map(({ waiver, state }) => `  ${waiver.obligation}  ${waiverWords[state]}. ${waiver.reason} (${waiver.owner}, until ${waiver.expires})`);
  return lines.length === 0 ? '' : ['Waivers', ...lines].join('\n');
}

function renderOpen(report: Report): string {
  const rows = report.verdicts.flatMap((verdict) => {
    if (verdict.kind !== 'observed') return [];
    const choices = [...new Set(verdict.observations.map(({ choice }) => choice ?? 'something else'))].join(', ');
    return [[`  ${verdict.obligation.id.replace('*/open.', '')}`, choices, verdict.observations[0]?.evidence ?? '']];
  });
  return rows.length === 0 ? '' : `Left open by the contract, and what this target does\n${renderTable(rows)}`;
}

/** What was not reached, by reason. Open questions that no one asked are no gap in the proof. */
function renderUnproven(report: Report): string {
  const byReason = new Map<string, string[]>();
  for (const verdict of report.verdicts) {
    if (verdict.kind !== 'unproven' || verdict.obligation.level === 'open') continue;
    byReason.set(verdict.reason, [...(byReason.get(verdict.reason) ?? []), verdict.obligation.id]);
  }
  const lines = [...byReason].map(([reason, ids]) => `  ${ids.length} since ${reason}: ${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', ...' : ''}`);
  return lines.length === 0 ? '' : ['Not proved', ...lines].join('\n');
}

function renderLeftBehind({ leftBehind, run }: Report): string {
  if (leftBehind.length === 0) return '';
  const ids = leftBehind.map(({ id }) => id);
  const shown = ids.length > 6 ? `${ids.slice(0, 3).join(', ')}, ..., ${ids.at(-1) ?? ''}` : ids.join(', ');
  return `Left behind: ${ids.length} items, tagged ${run.tag} (${shown})`;
}

function renderSummary({ outcome, counts, run, target, contract, verdicts }: Report): string {
  const broken = verdicts.filter(isFailure).length;
  const verdict = outcome === 'conforms' ? `${target.baseUrl} conforms to ${contract.title} ${contract.version}` : `${target.baseUrl} breaks ${broken} of the promises of ${contract.title} ${contract.version}`;
  const waivers = outcome === 'violated' && broken === 0 ? '\nIt fails for its waivers: one is out of date or covers nothing.' : '';
  const early = run.endedEarly === undefined ? '' : `\nThe run ended early: ${run.endedEarly}.`;
  return `${verdict}, as far as was proved: ${counts.held} held, ${broken} broken, ${counts.unproven} not proved, ${counts.observed} open.\n${run.requests} requests of ${run.budget} in ${(run.milliseconds / 1000).toFixed(2)} s, seed ${run.seed}.${early}${waivers}`;
}
