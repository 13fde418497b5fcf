import { existsSync } from 'node:fs';
import {
  type Counterexample,
  parseReplayId,
  replayCounterexample,
  type RunOptions,
  shortenReplayId,
  type Target,
} from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/contract.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { joinShown, show, showLine, type VisibleText } from '../../../page/view/visible.ts';
import { fitColumns, reportFileName } from '../../../report/index.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { readReportFile } from '../../io/report-file.ts';

/**
 * `--replay` with an id, or with its place in a report. Exit code 0: the failure is gone, 1: it is
 * still there, 2: the responses do not show it.
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
  const { verdict, exchanges } = replay;
  const [headline, code] = outcomes[verdict.kind];
  const { id, sentence } = verdict.requirement;
  const lines = [
    show`${headline}  ${showLine(id)} at ${showLine(target.baseUrl)}`,
    show`  required   ${showLine(sentence)}`,
  ];
  if (verdict.kind === 'not-tested') lines.push(show`  since      ${showLine(verdict.reason)}`);
  if (verdict.kind === 'failed')
    for (const { expected, received } of verdict.failures.slice(0, 1))
      lines.push(show`  expected   ${excerpt(expected)}`, show`  came back  ${excerpt(received)}`);
  for (const { request, outcome } of exchanges) {
    const { method, target: path, body = '' } = request;
    const received =
      outcome.kind === 'answered'
        ? `${outcome.response.status} ${outcome.response.body}`
        : outcome.error.message;
    lines.push(show`  ${excerpt(`${method} ${path} ${body}`.trim())}: ${excerpt(received)}`);
  }
  io.stdout.write(show`${joinShown(lines, '\n')}\n`);
  return code;
}

const outcomes = {
  failed: [show`STILL FAILED`, 1],
  passed: [show`PASSED`, 0],
  open: [show`PASSED`, 0],
  waived: [show`NOT SHOWN`, 2],
  'not-tested': [show`NOT SHOWN`, 2],
} as const;

/** Foreign text in one line of the terminal, shortened if it is long. */
function excerpt(text: string): VisibleText {
  return fitColumns(showLine(text), 300);
}

/**
 * The counterexample that `--replay` names: a full id, or `report.json#` and the short id of one in
 * that file. A folder means the report in it.
 *
 * @throws {PetstoreError} with code `replay` if there is none
 */
async function findCounterexample(reference: string, contract: Contract): Promise<Counterexample> {
  if (reference.startsWith('r1-')) return parseReplayId(reference);
  const [, path = reference, id] = /^(.*?)#([^#]*)$/s.exec(reference) ?? [];
  if (!existsSync(path))
    throw refusal(
      id === undefined
        ? `"${reference}" is neither a replay id (r1-...) nor a report file with an id (report.json#<id>).`
        : `${path} does not exist. Pass the path of the ${reportFileName} that --report wrote: --replay folder/${reportFileName}#id`,
    );
  const { verdicts } = await readReportFile(path, contract);
  for (const verdict of verdicts)
    for (const { replay } of 'failures' in verdict ? verdict.failures : [])
      if (replay !== undefined && (id === shortenReplayId(replay) || id === replay))
        return parseReplayId(replay);
  throw refusal(
    id ? `${path} has no replay ${id}.` : `Copy the id after # from a replay line of ${path}.`,
  );
}

function refusal(reason: string): PetstoreError {
  return new PetstoreError('replay', reason);
}
