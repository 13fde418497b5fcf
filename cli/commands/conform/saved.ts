import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Counterexample,
  parseReplayId,
  readCounterexample,
  type Report,
} from '../../../conformance/index.ts';
import { makeFolder } from '../../../mock/state/folder.ts';
import { showJson } from '../../../page/view/visible.ts';
import { readJsonFile } from '../../io/file.ts';

/**
 * Reads the counterexamples of a folder, sorted by file name; none if the folder does not exist
 * yet. Throws `PetstoreError` for a file that is not a counterexample.
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

/** Writes a file for each failed requirement that no saved counterexample shows yet. */
export async function writeSaved(report: Report, folder: string): Promise<void> {
  await makeFolder(folder);
  for (const verdict of report.verdicts) {
    const failures = verdict.kind === 'failed' ? verdict.failures : [];
    const { replay } = failures.find((each) => each.replay !== undefined) ?? {};
    const isSaved = failures.some(({ exchange }) =>
      report.exchanges[exchange]?.probe.startsWith('saved '),
    );
    if (replay === undefined || isSaved) continue;
    const counterexample = parseReplayId(replay);
    await writeFile(join(folder, nameFile(counterexample)), `${showJson(counterexample, 2)}\n`);
  }
}

/**
 * The words of the requirement and a short hash of the requests without the tag of the run. No name
 * looks like a flag, is hidden, has a path or is longer than 113 characters.
 */
export function nameFile({ requirement, tag, steps }: Counterexample): string {
  const words = requirement.match(/[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*/g) ?? ['requirement'];
  const requests = JSON.stringify(steps).replaceAll(new RegExp(`${tag}[a-z]{4}`, 'g'), 'tag');
  const digest = hash('sha256', `${requirement}\n${requests}`).slice(0, 8);
  return `${words.join('-').slice(0, 100)}-${digest}.json`;
}
