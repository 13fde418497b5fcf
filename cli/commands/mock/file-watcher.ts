import { type FSWatcher, existsSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Tells of changes of files. It watches their folders, since editors often put a new file in
 * the place of the old one; where a folder is not there it watches for that to come.
 */
export class FileWatcher {
  readonly #onChange: () => void;
  #open: readonly FSWatcher[] = [];

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Watches these files from now on, and no others. A folder that was replaced is silent. */
  follow(files: readonly string[]): void {
    for (const watcher of this.#open) watcher.close();
    const names = Map.groupBy(files.map(nearest), dirname);
    this.#open = [...names].flatMap(([folder, paths]) =>
      this.#watch(folder, new Set(paths.map((path) => basename(path)))),
    );
  }

  #watch(folder: string, names: ReadonlySet<string>): readonly FSWatcher[] {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || names.has(name)) this.#onChange();
      });
      return [watcher.on('error', () => watcher.close())];
    } catch {
      // The folder went away, or nothing more can be watched: what is there is served.
      return [];
    }
  }
}

/** What would change in a folder that is there: the file, or the first missing folder above. */
function nearest(file: string): string {
  const folder = dirname(file);
  return folder === file || existsSync(folder) ? file : nearest(folder);
}
