import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonValue } from '../../contract/json/value.ts';
import { inputLimits } from '../../contract/limits/index.ts';
import { harFile } from './entry.ts';

/** Bodies in files beside an archive, by the name that the archive has for them. */
export type AttachedBodies = ReadonlyMap<string, Uint8Array>;

/**
 * Reads the bodies that Playwright puts into files beside the archive (`_file`, with `content:
 * 'attach'`). Only files of the archive's own folder are read; those that are not there, and links, are
 * missing.
 *
 * @param value the archive
 * @param file its path
 * @throws {PetstoreError} with code `shape` and its place, for what is not an archive
 */
export async function loadAttachedBodies(value: JsonValue, file: string): Promise<AttachedBodies> {
  const bodies = new Map<string, Uint8Array>();
  let left = inputLimits.recordingBytes;
  for (const name of namesOf(value)) {
    const path = join(dirname(file), name);
    // A symbolic link is not a file here: it may lead out of the folder.
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true || found.size > left) continue;
    left -= found.size;
    bodies.set(name, await readFile(path));
  }
  return bodies;
}

const plainName = /^[\w-]+(\.[\w-]+)*$/;

/** Each once. A path into another folder is none: an archive may come from anybody. */
function namesOf(value: JsonValue): ReadonlySet<string> {
  const { entries } = harFile.read(value, '').log;
  const names = entries.flatMap(({ request, response }) =>
    [request.postData, response?.content].map(({ _file: name } = {}) => name),
  );
  return new Set(names.filter((name) => name !== undefined).filter((name) => plainName.test(name)));
}
