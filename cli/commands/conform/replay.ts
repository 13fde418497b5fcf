import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Counterexample,
  parseReplayId,
  type Replay,
  replayCounterexample,
  type RunOptions,
  shortenReplayId,
} from '../../../conformance/index.ts';
import {
  type Contract,
  hasCode,
  isJsonArray,
  isJsonObject,
  JsonSyntaxError,
  type JsonValue,
  PetstoreError,
} from '../../../contract/index.ts';
import { fitColumns, reportFileName } from '../../../report/index.ts';
import { joinShown, show, showLine, type VisibleText } from '../../../view/visible.ts';
import type { OpenTarget } from '../../conformance/embedded-mock.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { parseInput, readInput } from '../../io/file.ts';

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

/**
 * The counterexample that `--replay` names: a whole id, or `report.json#` and the short id of one
 * that the file has. A folder means the report in it.
 * @throws {PetstoreError} with code `replay` where there is none, saying which ones there are
 */
async function findCounterexample(reference: string): Promise<Counterexample> {
  const place = /^(.*?)#([^#]*)$/s.exec(reference);
  if (reference.startsWith('r1-')) return parseReplayId(reference);
  if (place === null && !(await isThere(reference)))
    throw refusal(
      `"${reference}" is neither a replay id, which begins with r1-, nor a report file with # and an id.`,
    );
  const [, path = reference, id = ''] = place ?? [];
  const file = await fileOf(path);
  const saved = await readReplays(file);
  const found = saved.find(({ replay }) => shortenReplayId(replay) === id || replay === id);
  if (found !== undefined) return parseReplayId(found.replay);
  if (saved.length === 0) throw refusal(`${file} has no failure that can be repeated.`);
  const all = listReplays(saved);
  throw refusal(
    id === ''
      ? `Name a replay of ${file} after #. It has ${all}.`
      : `${file} has no replay ${id}. It has ${all}.`,
  );
}

/** A failed requirement and the whole id that repeats it. */
interface SavedReplay {
  readonly requirement: string;
  readonly replay: string;
}

/** Most replays that a message names. */
const mostNamed = 8;

function listReplays(saved: readonly SavedReplay[]): string {
  const byRequirement = [
    ...new Map(saved.toReversed().map((each) => [each.requirement, each])).values(),
  ].toReversed();
  const named = byRequirement
    .slice(0, mostNamed)
    .map(({ requirement, replay }) => `${shortenReplayId(replay)} (${requirement})`);
  const more = byRequirement.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function fileOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw refusal(
      `${path} does not exist. Give the path of the ${reportFileName} that --report wrote: --replay folder/${reportFileName}#id`,
    );
  return found.isDirectory() ? join(path, reportFileName) : path;
}

/** The replays of all failures of a report. */
async function readReplays(file: string): Promise<readonly SavedReplay[]> {
  const report = await readReport(file);
  const verdicts = isJsonObject(report) ? membersOf(report['verdicts']) : undefined;
  if (verdicts === undefined) throw refusal(`${file} is not a report: it has no verdicts.`);
  return verdicts.flatMap((verdict) => {
    const { id, failures } = isJsonObject(verdict) ? verdict : {};
    return (membersOf(failures) ?? []).flatMap((failure) => {
      const replay = isJsonObject(failure) ? failure['replay'] : undefined;
      return typeof replay === 'string' && typeof id === 'string'
        ? [{ requirement: id, replay }]
        : [];
    });
  });
}

async function readReport(file: string): Promise<JsonValue> {
  const text = await readInput(file);
  try {
    return parseInput(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError || hasCode(error, 'shape'))
      throw refusal(`${file} is not a report: ${error.message}`, error);
    throw error;
  }
}

function membersOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return isJsonArray(value) ? value : undefined;
}

function refusal(reason: string, cause?: unknown): PetstoreError {
  return new PetstoreError('replay', reason, { cause });
}
