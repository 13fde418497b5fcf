import { type TextLayout, showLine } from '../../../report/index.ts';
import { type ClientEnd, type Scenario, isBadEnd } from '../../../client/index.ts';
import type { ClientTrial } from './trial.ts';

const shownLines = 10;

export function renderScenarios(scenarios: readonly Scenario[]): string {
  return scenarios
    .map(({ id, sentence }) => `${id.padEnd(widthOf(scenarios))}  ${sentence}\n`)
    .join('');
}

export function widthOf(scenarios: readonly Scenario[]): number {
  return Math.max(0, ...scenarios.map(({ id }) => id.length));
}

/** One trial in one line: how many requests, how long, how the command ended, and what is odd. */
export function renderTrial(trial: ClientTrial, idWidth: number, { paint }: TextLayout): string {
  const { scenario, exchanges, milliseconds, end, unmet } = trial;
  const cells = [
    scenario.id.padEnd(idWidth),
    countRequests(exchanges.length).padStart(12),
    `${(milliseconds / 1000).toFixed(1)} s`.padStart(7),
  ];
  const ended = isBad(trial)
    ? paint.bad(`${describeEnd(end)}, and had to succeed here`)
    : describeEnd(end);
  return `  ${cells.join('  ')}  ${ended}${unmet === undefined ? '' : paint.quiet(`; not reached: ${unmet}`)}`;
}

/** The command failed where it had to succeed, or did not come to its end. */
export function isBad({ scenario, end }: ClientTrial): boolean {
  return isBadEnd({ mustSucceed: scenario.mustSucceed, end });
}

export function renderOutput({ scenario, output }: ClientTrial, { paint }: TextLayout): string {
  const lines = output
    .trimEnd()
    .split('\n')
    .slice(-shownLines)
    .map((line) => `  | ${showLine(line)}`);
  return output.trim() === ''
    ? `${paint.strong(`Output in ${scenario.id}`)}: none\n`
    : `${paint.strong(`Output in ${scenario.id}`)}\n${lines.join('\n')}\n`;
}

export function describeEnd(end: ClientEnd): string {
  if (end.kind === 'exited') return `exit code ${end.code}`;
  if (end.kind === 'killed') return `ended by ${end.signal}`;
  return end.kind === 'timeout' ? 'ended when its time was over' : 'interrupted';
}

function countRequests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}
