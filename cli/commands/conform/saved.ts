import { hash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Counterexample,
  type Report,
  parseReplayId,
  readCounterexample,
} from '../../../conformance/index.ts';
import { JsonSyntaxError, PetstoreError, hasCode } from '../../../contract/index.ts';
import { parseInput, readInput } from '../../io/file.ts';
import { inputLimits } from '../../../contract/limits/index.ts';
import { showJson } from '../../../view/visible.ts';

/**
 * Reads the counterexamples of a folder, in the order of their names; none where the folder is not
 * there yet. Throws `PetstoreError` for a file that is not a counterexample.
 */
export async function readSaved(folder: string): Promise<readonly Counterexample[]> {
  const names = await listNames(folder);
  return await Promise.all(names.map(async (name) => readFileOf(join(folder, name))));
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function readFileOf(file: string): Promise<Counterexample> {
  try {
    return readCounterexample(parseInput(await readInput(file, inputLimits.settingBytes)));
  } catch (error) {
    if (hasCode(error, 'replay') || error instanceof JsonSyntaxError)
      throw new PetstoreError('replay', `${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Writes a file for each failed requirement that no saved counterexample shows already. */
export async function writeSaved(report: Report, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const verdict of report.verdicts) {
    const failures = verdict.kind === 'failed' ? verdict.failures : [];
    const replay = failures.find((each) => each.replay !== undefined)?.replay;
    if (
      replay === undefined ||
      failures.some(({ exchange }) => report.exchanges[exchange]?.probe.startsWith('saved '))
    )
      continue;
    const counterexample = parseReplayId(replay);
    await writeFile(join(folder, nameOf(counterexample)), `${showJson(counterexample, 2)}\n`);
  }
}

/** The requirement and a short hash of the requests, whatever tag they carry. */
function nameOf({ requirement, tag, steps }: Counterexample): string {
  const requests = JSON.stringify(steps).replaceAll(new RegExp(`${tag}[a-z]{4}`, 'g'), 'tag');
  const digest = hash('sha256', `${requirement}\n${requests}`).slice(0, 8);
  return `${nameFile(requirement)}-${digest}.json`;
}

/**
 * A name that every file system and every command takes: it begins with a letter or digit, so that
 * it is not a flag and not hidden, and is at most 100 characters long.
 */
export function nameFile(requirement: string): string {
  const plain = requirement
    .replaceAll('*', 'service')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100);
  return /^.*[A-Za-z0-9]/.exec(plain)?.[0] ?? 'requirement';
}
