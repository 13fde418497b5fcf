import { existsSync, type FSWatcher, type Stats, watch } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';

/**
 * Reports changes of files: those that the returned function was called with last. It watches their
 * folders, since editors often put a new file in the place of the old one; where a folder is not
 * there it watches for that to come. A folder that was replaced is silent.
 */
function createFileWatcher(onChange: () => void): (files: readonly string[]) => void {
  let open: readonly FSWatcher[] = [];
  return (files) => {
    for (const watcher of open) watcher.close();
    const groups = Map.groupBy(files.map(nearest), dirname);
    open = [...groups].flatMap(([folder, paths]) =>
      watchFolder(folder, new Set(paths.map((path) => basename(path))), onChange),
    );
  };
}

/** Editors write a file in several steps: it is read this long after the last, in milliseconds. */
const settled = 100;

/** Files that are read again when they have changed. */
interface Reading {
  /** From now on these files are watched, until the signal is aborted. */
  follow(files: readonly string[]): void;
  /** Reads as if a file had changed just now. */
  schedule(): void;
}

/** Reads once files have settled after a change, one time after another. `read` never rejects. */
export function createReading(read: () => Promise<void>, signal: AbortSignal): Reading {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const schedule = (): void => {
    clearTimeout(timer);
    if (!signal.aborted)
      timer = setTimeout(() => {
        last = last.then(read);
      }, settled);
  };
  const watchFiles = createFileWatcher(schedule);
  const end = (): void => {
    clearTimeout(timer);
    watchFiles([]);
  };
  signal.addEventListener('abort', end, { once: true });
  return { schedule, follow: (files) => watchFiles(signal.aborted ? [] : files) };
}

function watchFolder(
  folder: string,
  names: ReadonlySet<string>,
  onChange: () => void,
): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || names.has(name)) onChange();
    });
    return [watcher.on('error', () => watcher.close())];
  } catch {
    // The folder went away, or nothing more can be watched: what is there is served.
    return [];
  }
}

/** What would change in a folder that is there: the file, or the first missing folder above. */
function nearest(file: string): string {
  const folder = dirname(file);
  return folder === file || existsSync(folder) ? file : nearest(folder);
}

/** A reference to another file, in YAML or JSON: `$ref: 'schemas/pet.json#/Pet'`. */
const REFERENCE = /\$ref['"]?\s*:\s*['"]?([^\s'"#,}]+)/g;

/**
 * The files that a document is made of, whether they are there or not: a document that is broken
 * may wait for one that it names. `file` is as it was given, and where it leads if it is a link. No
 * file out of its folder is looked at.
 */
export async function listDocumentFiles(file: string): Promise<readonly string[]> {
  const given = resolve(file);
  const root = await realpath(given).catch(() => given);
  const found = new Set([root]);
  for (const one of found)
    for (const named of await listNamed(one)) if (isInside(dirname(root), named)) found.add(named);
  return [...new Set([given, ...found])];
}

/** True where a file was written or replaced after an instant, milliseconds since 1970. */
export async function haveChanged(files: readonly string[], since: number): Promise<boolean> {
  const states = await Promise.all(files.map(stateOf));
  return states.some((state) => (state?.ctimeMs ?? 0) >= since - CLOCK_TICK);
}

/** File systems may take the time from a clock that lags behind by so many milliseconds. */
const CLOCK_TICK = 20;

/** Undefined for a file that is not there. */
async function stateOf(file: string): Promise<Stats | undefined> {
  return await stat(file).catch(() => undefined);
}

async function listNamed(file: string): Promise<readonly string[]> {
  const isFile = (await stateOf(file))?.isFile() ?? false;
  const text = isFile ? await readFile(file, 'utf8').catch(() => '') : '';
  return [...text.matchAll(REFERENCE)].map(([, path = '']) =>
    resolve(dirname(file), decodePath(path)),
  );
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`);
}
