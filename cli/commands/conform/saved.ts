import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Counterexample,
  type Report,
  parseReplayId,
  readCounterexample,
} from '../../../conformance/index.ts';
import { makeFolder } from '../../../mock/state/folder.ts';
import { readJsonFile } from '../../io/file.ts';
import { showJson } from '../../../page/view/visible.ts';

/**
 * Reads the counterexamples of a folder, in the order of their names; none where the folder is not
 * there yet. Throws `PetstoreError` for a file that is not a counterexample.
 */
export async function readSaved(folder: string): Promise<readonly Counterexample[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  const files = names.filter((name) => name.endsWith('.json')).toSorted();
  return await Promise.all(
    files.map((name) =>
      readJsonFile(join(folder, name), 'a saved counterexample', readCounterexample),
    ),
  );
}

/** Writes a file for each failed requirement that no saved counterexample shows already. */
export async function writeSaved(report: Report, folder: string): Promise<void> {
  await makeFolder(folder);
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
