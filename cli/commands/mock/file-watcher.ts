import { type FSWatcher, existsSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Tells of changes of files: those that the function given was called with last. It watches their
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
export interface Reading {
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
