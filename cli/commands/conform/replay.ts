import { type Replay, type RunOptions, replayCounterexample } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { fitColumns, showLine } from '../../../report/index.ts';
import type { CommandIo } from '../../io/command-io.ts';
import type { OpenTarget } from '../../conformance/embedded-mock.ts';
import { findCounterexample } from './replay-reference.ts';

/**
 * `--replay`, with an id or its place in a report. Exit code 0: no longer there, 1: still there, 2:
 * the responses do not show it.
 */
export async function runReplay(
  reference: string,
  contract: Contract,
  { target }: OpenTarget,
  options: RunOptions,
  io: CommandIo,
): Promise<number> {
  const counterexample = await findCounterexample(reference.trim());
  const replay = await replayCounterexample(contract, target, counterexample, options);
  io.stdout.write(`${renderReplay(replay, target.baseUrl)}\n`);
  return exitCode(replay);
}

function exitCode({ verdict }: Replay): number {
  if (verdict.kind === 'failed') return 1;
  return verdict.kind === 'passed' || verdict.kind === 'open' ? 0 : 2;
}

function renderReplay({ verdict, exchanges }: Replay, baseUrl: string): string {
  const { requirement } = verdict;
  const sent = exchanges.map(
    ({ request, outcome }) =>
      `  ${request.method} ${request.target}${request.body === undefined ? '' : ` ${oneLine(request.body)}`}: ${outcome.kind === 'answered' ? `${outcome.response.status} ${oneLine(outcome.response.body)}` : outcome.error.message}`,
  );
  return [
    `${headline(verdict)}  ${requirement.id} at ${baseUrl}`,
    `  required   ${requirement.sentence}`,
    ...explain(verdict),
    ...sent,
  ].join('\n');
}

function headline({ kind }: Replay['verdict']): string {
  if (kind === 'failed') return 'STILL FAILED';
  return kind === 'passed' || kind === 'open' ? 'PASSED' : 'NOT SHOWN';
}

function explain(verdict: Replay['verdict']): readonly string[] {
  if (verdict.kind === 'not-tested') return [`  since      ${verdict.reason}`];
  const [first] = verdict.kind === 'failed' ? verdict.failures : [];
  return first
    ? [`  expected   ${oneLine(first.expected)}`, `  came back  ${oneLine(first.received)}`]
    : [];
}

/** A text of others in one line of the terminal, cut where it is long. */
function oneLine(text: string): string {
  return fitColumns(showLine(text), 300);
}
