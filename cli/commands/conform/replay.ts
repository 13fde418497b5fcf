import { existsSync } from 'node:fs';
import {
  type Counterexample,
  parseReplayId,
  type Replay,
  replayCounterexample,
  type RunOptions,
  shortenReplayId,
  type Target,
} from '../../../conformance/index.ts';
import { type Contract, PetstoreError } from '../../../contract/index.ts';
import { fitColumns, reportFileName } from '../../../report/index.ts';
import { joinShown, show, showLine, type VisibleText } from '../../../page/view/visible.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { readReportFile } from '../../io/report-file.ts';

/**
 * `--replay`, with an id or its place in a report. Exit code 0: no longer there, 1: still there, 2:
 * the responses do not show it.
 */
export async function runReplay(
  reference: string,
  contract: Contract,
  target: Target,
  options: RunOptions,
  io: CommandIo,
): Promise<number> {
  const counterexample = await findCounterexample(reference.trim(), contract);
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

/**
 * The counterexample that `--replay` names: a whole id, or `report.json#` and the short id of one
 * that the file has. A folder means the report in it.
 * @throws {PetstoreError} with code `replay` where there is none, saying which ones there are
 */
async function findCounterexample(reference: string, contract: Contract): Promise<Counterexample> {
  if (reference.startsWith('r1-')) return parseReplayId(reference);
  const [, path = reference, id] = /^(.*?)#([^#]*)$/s.exec(reference) ?? [];
  if (!existsSync(path))
    throw refusal(
      id === undefined
        ? `"${reference}" is neither a replay id, which begins with r1-, nor a report file with # and an id.`
        : `${path} does not exist. Give the path of the ${reportFileName} that --report wrote: --replay folder/${reportFileName}#id`,
    );
  const { verdicts } = await readReportFile(path, contract);
  const saved = verdicts.flatMap((verdict) => {
    const failures = 'failures' in verdict ? verdict.failures : [];
    const replays = failures.flatMap(({ replay }) => replay ?? []);
    return replays.map((replay) => ({ replay, requirement: verdict.requirement.id }));
  });
  const found = saved.find(({ replay }) => shortenReplayId(replay) === id || replay === id);
  if (found !== undefined) return parseReplayId(found.replay);
  if (saved.length === 0) throw refusal(`${path} has no failure that can be repeated.`);
  const all = listReplays(saved);
  throw refusal(
    id
      ? `${path} has no replay ${id}. It has ${all}.`
      : `Name a replay of ${path} after #. It has ${all}.`,
  );
}

/** Most replays that a message names. */
const mostNamed = 8;

/** The first replay of each requirement, as far as they are named. */
function listReplays(
  saved: readonly { readonly requirement: string; readonly replay: string }[],
): string {
  const groups = [...Map.groupBy(saved, ({ requirement }) => requirement)];
  const named = groups
    .slice(0, mostNamed)
    .map(([requirement, [first]]) => `${shortenReplayId(first?.replay ?? '')} (${requirement})`);
  const more = groups.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function refusal(reason: string): PetstoreError {
  return new PetstoreError('replay', reason);
}
