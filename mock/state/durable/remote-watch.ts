import type { SandboxPart } from '../../control/events/changes.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { MockWatcher } from '../../served-document/served-document.ts';
import type { SandboxChange } from '../change/change.ts';
import type { RemoteChange } from './local-copy.ts';

interface Surroundings {
  readonly sandboxes: Sandboxes;
  /** Names of all sandboxes that are kept. */
  readonly list: () => Promise<readonly string[]>;
  /** Follows what others have made of a sandbox; of one that is new all is told. */
  readonly catchUp: (name: string, isNew: boolean) => Promise<void>;
}

/** Milliseconds between two looks at what others have done. */
const pause = 1000;

/** Tells what others do who share the state; while somebody watches, it is looked at. */
export class RemoteWatch {
  readonly #surroundings: Surroundings;
  readonly #watchers = new Set<MockWatcher>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Sandboxes that were there at the last look; undefined where nobody looked. */
  #known: ReadonlySet<string> | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  add(watcher: MockWatcher): () => void {
    this.#watchers.add(watcher);
    this.start();
    return () => this.#watchers.delete(watcher);
  }

  readonly tell = ({ sandbox, change, entries }: RemoteChange): void => {
    const parts = entries.length > 0 ? [] : partsOf(change);
    for (const watcher of this.#watchers) {
      for (const entry of entries) watcher.onEntry(entry);
      if (parts.length > 0) watcher.onChange?.(sandbox.name, parts);
    }
  };

  /** Looks from now on, as long as somebody watches or waits. */
  start(): void {
    if (this.#timer === undefined && this.#isWatched)
      this.#timer = setTimeout(() => void this.#look(), pause);
  }

  get #isWatched(): boolean {
    const { all } = this.#surroundings.sandboxes;
    return this.#watchers.size > 0 || all.some(({ journal }) => journal.isAwaited);
  }

  async #look(): Promise<void> {
    try {
      const { sandboxes, list, catchUp } = this.#surroundings;
      const listed = await list();
      const local = sandboxes.all.map(({ name }) => name);
      const added = new Set(listed.filter((name) => this.#known?.has(name) === false));
      this.#known = new Set([...listed, ...local]);
      for (const name of new Set([...local, ...added])) await catchUp(name, added.has(name));
    } catch {
      // Requests tell it: who watches sees no more until the state can be read again.
    }
    this.#timer = undefined;
    if (!this.#isWatched) this.#known = undefined;
    this.start();
  }
}

/** What has changed without a request, by the control interface of another. */
function partsOf({
  collections,
  entities,
  clock,
  choices,
  faults,
  stubs,
  limits,
  counts,
  snapshots,
  journal,
}: SandboxChange): readonly SandboxPart[] {
  const changed: readonly (readonly [SandboxPart, unknown])[] = [
    ['items', collections ?? entities],
    ['clock', clock],
    ['choices', choices],
    ['faults', faults],
    ['stubs', stubs],
    ['quotas', limits ?? counts],
    ['snapshots', snapshots],
    ['journal', journal],
  ];
  return changed.flatMap(([part, value]) => (value === undefined ? [] : [part]));
}
