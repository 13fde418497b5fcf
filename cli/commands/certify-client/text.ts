import { largest } from '../../../contract/index.ts';
import type { TextLayout } from '../../../report/index.ts';
import { countOf } from '../../../view/count.ts';
import { type VisibleText, joinShown, padShown, show, showLine } from '../../../view/visible.ts';
import { type ClientEnd, type Scenario, isBadEnd } from '../../../client/index.ts';
import type { ClientTrial } from './trial.ts';

const shownLines = 10;

export function renderScenarios(scenarios: readonly Scenario[]): VisibleText {
  const width = widthOf(scenarios);
  return joinShown(
    scenarios.map(
      ({ id, sentence }) => show`${padShown(showLine(id), width)}  ${showLine(sentence)}\n`,
    ),
    '',
  );
}

export function widthOf(scenarios: readonly Scenario[]): number {
  return largest(
    scenarios.map(({ id }) => id.length),
    0,
  );
}

/** One trial in one line: how many requests, how long, how the command ended, and what is odd. */
export function renderTrial(
  trial: ClientTrial,
  idWidth: number,
  { paint }: TextLayout,
): VisibleText {
  const { scenario, exchanges, milliseconds, end, unmet } = trial;
  const cells = [
    padShown(showLine(scenario.id), idWidth),
    padShown(countOf(exchanges.length, 'request'), -12),
    padShown(showLine(`${(milliseconds / 1000).toFixed(1)} s`), -7),
  ];
  const ended = isBad(trial)
    ? paint.bad(show`${describeEnd(end)}, and had to succeed here`)
    : describeEnd(end);
  return show`  ${joinShown(cells, '  ')}  ${ended}${unmet === undefined ? '' : paint.quiet(show`; not reached: ${showLine(unmet)}`)}`;
}

/** The command failed where it had to succeed, or did not come to its end. */
export function isBad({ scenario, end }: ClientTrial): boolean {
  return isBadEnd({ mustSucceed: scenario.mustSucceed, end });
}

export function renderOutput(
  { scenario, output }: ClientTrial,
  { paint }: TextLayout,
): VisibleText {
  const title = paint.strong(show`Output in ${showLine(scenario.id)}`);
  const lines = output
    .trimEnd()
    .split('\n')
    .slice(-shownLines)
    .map((line) => show`  | ${showLine(line)}`);
  return output.trim() === ''
    ? show`${title}: none\n`
    : show`${title}\n${joinShown(lines, '\n')}\n`;
}

function describeEnd(end: ClientEnd): VisibleText {
  if (end.kind === 'exited') return show`exit code ${end.code}`;
  if (end.kind === 'killed') return show`ended by ${showLine(end.signal)}`;
  return end.kind === 'timeout' ? show`ended when its time was over` : show`interrupted`;
}
