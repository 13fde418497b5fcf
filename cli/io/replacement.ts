import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { SubjectKind } from '../../certificate/index.ts';
import { isJsonObject } from '../../contract/index.ts';
import { reportFileNames } from '../../report/index.ts';
import { argumentError } from './command-failure.ts';
import { certificateFileNames } from './write-certificate.ts';
import { parseInput, readInput } from '../input/file.ts';

/** What a command is about to write, and where. */
interface Writing {
  /** Folder of the report; undefined for no report. */
  readonly report: string | undefined;
  /** Undefined or false for no certificate. */
  readonly certify?: unknown;
  /** Whatever is there may be replaced. */
  readonly force: boolean;
}

/**
 * Refuses, before a run that may take minutes, to replace what it must not: a certificate, and
 * files that are not of a report of the same kind. Throws `PetstoreError`.
 */
export async function refuseReplacement(
  { report, certify, force }: Writing,
  kind: SubjectKind,
): Promise<void> {
  if (force) return;
  const [certificate] = certify ? await listThere(report ?? '.', certificateFileNames) : [];
  if (certificate !== undefined)
    throw argumentError(
      `${certificate} is there already, and a certificate is not replaced: name another folder with --report, or give --force.`,
    );
  const [stray] = report === undefined ? [] : await listThere(report, reportFileNames);
  if (report === undefined || stray === undefined) return;
  if ((await readKind(join(report, 'report.json'))) === kind) return;
  throw argumentError(
    `${stray} is not of a report on a ${kind}, and is not replaced: name another folder with --report, or give --force.`,
  );
}

/** The paths of those files that are in a folder. */
async function listThere(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const paths = names.map((name) => join(folder, name));
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => there[index]);
}

/** What a file is a report on; undefined where it is none. */
async function readKind(file: string): Promise<SubjectKind | undefined> {
  try {
    const value = parseInput(await readInput(file));
    if (!isJsonObject(value) || value['format'] !== 'petstore-conformance-report/1')
      return undefined;
    return value['client'] === null ? 'server' : 'client';
  } catch {
    return undefined;
  }
}
