import { type Replay, type RunOptions, replayCounterexample } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { fitColumns } from '../../../report/index.ts';
import { type VisibleText, joinShown, show, showLine } from '../../../view/visible.ts';
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
  io.stdout.write(show`${renderReplay(replay, target.baseUrl)}\n`);
  return exitCode(replay);
}

function exitCode({ verdict }: Replay): number {
  if (verdict.kind === 'failed') return 1;
  return verdict.kind === 'passed' || verdict.kind === 'open' ? 0 : 2;
}

function renderReplay({ verdict, exchanges }: Replay, baseUrl: string): VisibleText {
  const { requirement } = verdict;
  const sent = exchanges.map(({ request, outcome }) => {
    const body = request.body === undefined ? '' : show` ${oneLine(request.body)}`;
    const came =
      outcome.kind === 'answered'
        ? show`${outcome.response.status} ${oneLine(outcome.response.body)}`
        : showLine(outcome.error.message);
    return show`  ${showLine(`${request.method} ${request.target}`)}${body}: ${came}`;
  });
  return joinShown(
    [
      show`${headline(verdict)}  ${showLine(requirement.id)} at ${showLine(baseUrl)}`,
      show`  required   ${showLine(requirement.sentence)}`,
      ...explain(verdict),
      ...sent,
    ],
    '\n',
  );
}

function headline({ kind }: Replay['verdict']): VisibleText {
  if (kind === 'failed') return show`STILL FAILED`;
  return kind === 'passed' || kind === 'open' ? show`PASSED` : show`NOT SHOWN`;
}

function explain(verdict: Replay['verdict']): readonly VisibleText[] {
  if (verdict.kind === 'not-tested') return [show`  since      ${showLine(verdict.reason)}`];
  const [first] = verdict.kind === 'failed' ? verdict.failures : [];
  return first
    ? [show`  expected   ${oneLine(first.expected)}`, show`  came back  ${oneLine(first.received)}`]
    : [];
}

/** A text of others in one line of the terminal, cut where it is long. */
function oneLine(text: string): VisibleText {
  return fitColumns(showLine(text), 300);
}
