import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Counterexample, parseReplayId, shortenReplayId } from '../../../conformance/index.ts';
import {
  hasCode,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  JsonSyntaxError,
  PetstoreError,
} from '../../../contract/index.ts';
import { reportFileName } from '../../../report/index.ts';
import { parseInput, readInput } from '../../input/file.ts';

/**
 * The counterexample that `--replay` names: a whole id, or `report.json#` and the short id of one
 * that the file holds. A folder stands for the report in it.
 * @throws {PetstoreError} with code `replay` where there is none, saying which ones there are
 */
export async function findCounterexample(reference: string): Promise<Counterexample> {
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
  if (saved.length === 0) throw refusal(`${file} holds no failure that can be repeated.`);
  const all = listReplays(saved);
  throw refusal(
    id === ''
      ? `Say which replay of ${file}, after a #. It holds ${all}.`
      : `${file} holds no replay ${id}. It holds ${all}.`,
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
      `There is no ${path}. Give the path of the ${reportFileName} that --report wrote: --replay folder/${reportFileName}#id`,
    );
  return found.isDirectory() ? join(path, reportFileName) : path;
}

/** The replays of all failures of a report. */
async function readReplays(file: string): Promise<readonly SavedReplay[]> {
  const report = await readReport(file);
  const verdicts = isJsonObject(report) ? membersOf(report['verdicts']) : undefined;
  if (verdicts === undefined) throw refusal(`${file} is no report: it has no verdicts.`);
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
      throw refusal(`${file} is no report: ${error.message}`, error);
    throw error;
  }
}

function membersOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return isJsonArray(value) ? value : undefined;
}

function refusal(reason: string, cause?: unknown): PetstoreError {
  return new PetstoreError('replay', reason, { cause });
}
