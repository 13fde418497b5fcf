import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { MockWatcher } from '../../served-document/served-document.ts';
import type { RemoteChange } from './local-copies.ts';

interface Surroundings {
  readonly sandboxes: Sandboxes;
  /** Names of all sandboxes that are stored. */
  readonly list: () => Promise<readonly string[]>;
  /** Reads what others made of a sandbox; everything in one that is new is reported. */
  readonly catchUp: (name: string, isNew: boolean) => Promise<void>;
}

/** Milliseconds between two reads of what others did. */
const pause = 1000;

/** Reports what other instances do, by polling while somebody watches. */
export class RemoteWatch {
  readonly #surroundings: Surroundings;
  readonly #watchers = new Set<MockWatcher>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Sandboxes that were there at the last poll; undefined before the first. */
  #known: ReadonlySet<string> | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  add(watcher: MockWatcher): () => void {
    this.#watchers.add(watcher);
    this.start();
    return () => this.#watchers.delete(watcher);
  }

  readonly report = ({ sandbox, parts, entries }: RemoteChange): void => {
    for (const watcher of this.#watchers) {
      for (const entry of entries) watcher.onEntry(entry);
      if (parts.length > 0) watcher.onChange?.(sandbox.name, parts);
    }
  };

  /** Polls from now on, as long as somebody watches, or waits for entries of a journal. */
  start(): void {
    if (this.#timer === undefined && this.#isWatched)
      this.#timer = setTimeout(() => void this.#poll(), pause);
  }

  get #isWatched(): boolean {
    const { all } = this.#surroundings.sandboxes;
    return this.#watchers.size > 0 || all.some(({ journal }) => journal.isAwaited);
  }

  async #poll(): Promise<void> {
    try {
      const { sandboxes, list, catchUp } = this.#surroundings;
      const listed = await list();
      const local = sandboxes.all.map(({ name }) => name);
      const added = new Set(listed.filter((name) => this.#known?.has(name) === false));
      this.#known = new Set([...listed, ...local]);
      for (const name of new Set([...local, ...added])) await catchUp(name, added.has(name));
    } catch {
      // Requests report it. Watchers see nothing more until the state can be read again.
    }
    this.#timer = undefined;
    if (!this.#isWatched) this.#known = undefined;
    this.start();
  }
}
