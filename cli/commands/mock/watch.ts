import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { show, type VisibleText } from '../../../page/view/visible.ts';
import { explainError } from '../../io/command-failure.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { tellError } from '../../io/terminal.ts';

/** How files that have changed are read again. */
export interface Reading {
  /** Returns what to print, if anything. `wasBroken`: the last reading failed. */
  readonly read: (wasBroken: boolean) => Promise<VisibleText | undefined>;
  /** Begins the error for files that cannot be read: `the previous stubs stay in use`. */
  readonly fallback: string;
}

/** Milliseconds between two looks at the files. */
const interval = 150;

/**
 * Notes how files are now, whether they exist or not: a broken document may wait for a file that it
 * names. The returned function reads them again after each change since then, until the signal of the
 * command is aborted. It polls, because a poll also sees what events miss: folders that are replaced,
 * links that lead elsewhere, file systems of networks and containers.
 */
export async function watchFiles(
  list: () => Promise<readonly string[]>,
): Promise<(reading: Reading, io: CommandIo) => Promise<void>> {
  let files = await list();
  let seen = await stateOf(files);
  return async ({ read, fallback }, io) => {
    let isBroken = false;
    let last = seen;
    while (await pause(io.signal)) {
      let now = await stateOf(files);
      if (now !== seen) {
        files = await list();
        now = await stateOf(files);
      }
      // Editors write a file in several steps: it is read once nothing has changed between two looks.
      const isSettled = now === last;
      last = now;
      if (now === seen || !isSettled) continue;
      seen = now;
      try {
        const text = await read(isBroken);
        if (text !== undefined) io.stdout.write(show`${text}\n`);
        isBroken = false;
      } catch (error) {
        isBroken = true;
        tellError(io, 'mock', `${fallback}: ${explainError(error, io.env)}`);
      }
    }
  };
}

/** False once the signal is aborted. */
async function pause(signal: AbortSignal): Promise<boolean> {
  return await sleep(interval, true, { signal, ref: false }).catch(() => false);
}

/** Changes whenever a file is written, replaced or removed. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = await Promise.all(
    files.map(async (file) => await stat(file).catch(() => undefined)),
  );
  return states.map((state) => `${state?.ino} ${state?.ctimeMs} ${state?.size}`).join();
}

/** A reference to another file, in YAML or JSON: `$ref: 'schemas/pet.json#/Pet'`. */
const reference = /\$ref['"]?\s*:\s*['"]?([^\s'"#,}]+)/g;

/** The files that a document is made of. None outside of its folder is looked at. */
export async function listDocumentFiles(file: string): Promise<readonly string[]> {
  const given = resolve(file);
  const root = await realpath(given).catch(() => given);
  const found = new Set([root]);
  for (const one of found) {
    const isFile = (await stat(one).catch(() => undefined))?.isFile() ?? false;
    const text = isFile ? await readFile(one, 'utf8').catch(() => '') : '';
    for (const [, path = ''] of text.matchAll(reference)) {
      const named = resolve(dirname(one), decodePath(path));
      if (!relative(dirname(root), named).startsWith(`..${sep}`)) found.add(named);
    }
  }
  return [...new Set([given, ...found])];
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
