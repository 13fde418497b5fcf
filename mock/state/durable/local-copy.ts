import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { MockRuntime } from '../../served-document/served-document.ts';
import { type Serving, applyChange, clearSandbox, documentOf } from '../change/apply.ts';
import { type Author, captureWhole } from '../change/capture.ts';
import { type SandboxChange, parseChange, renderChange } from '../change/change.ts';
import type { Changes, StateEngine, StoredSandbox } from '../engine.ts';

/** A sandbox in memory, and where in its log it stands. */
export interface LocalCopy {
  readonly sandbox: Sandbox;
  /** It is as the log has it at a version; else it is to be loaded. */
  isLoaded: boolean;
  version: number;
  /** Nothing is kept of it yet. */
  isNew: boolean;
  /** Characters of its last snapshot, and of the changes since. */
  snapshotLength: number;
  changesLength: number;
}

/** What came with changes that others made. */
export interface RemoteChange {
  readonly sandbox: Sandbox;
  readonly change: SandboxChange;
  readonly entries: readonly JournalEntry[];
}

interface Surroundings {
  readonly engine: StateEngine;
  readonly runtime: MockRuntime;
  /** Is told what of a sandbox does not fit the document, in a sentence. */
  readonly notify: (notice: string) => void;
  /** Is told what others have changed in a sandbox that was loaded before. */
  readonly onRemote: (change: RemoteChange) => void;
}

/** Snapshots are made after so many characters of changes, or as many as the last one has. */
const leastChanges = 262_144;

/** The sandboxes that are in memory, each as its log says. */
export class LocalCopies {
  readonly #engine: StateEngine;
  readonly #runtime: MockRuntime;
  readonly #notify: (notice: string) => void;
  readonly #onRemote: (change: RemoteChange) => void;
  #copies = new WeakMap<Sandbox, LocalCopy>();
  /** Tells the changes of this process from those of others. */
  readonly #author = crypto.randomUUID();
  #count = 0;

  constructor({ engine, runtime, notify, onRemote }: Surroundings) {
    this.#engine = engine;
    this.#runtime = runtime;
    this.#notify = notify;
    this.#onRemote = onRemote;
  }

  /** Who makes changes here. */
  get author(): Author {
    return {
      document: documentOf(this.#runtime.service),
      stubsDigest: this.#runtime.sandboxes.stubsDigest,
      nextId: () => `${this.#author}-${this.#count++}`,
    };
  }

  /** The copy of a sandbox, which stays in memory until it is released. */
  open(name: string): LocalCopy {
    const sandbox = this.#runtime.sandboxes.open(name);
    sandbox.isInUse = true;
    sandbox.journal.isQuiet = true;
    const known = this.#copies.get(sandbox);
    if (known !== undefined) return known;
    const copy: LocalCopy = {
      sandbox,
      isLoaded: false,
      version: 0,
      isNew: true,
      snapshotLength: 0,
      changesLength: 0,
    };
    this.#copies.set(sandbox, copy);
    return copy;
  }

  /** Nothing is under way in a sandbox: it may make room for others, and one without state does. */
  release(name: string): void {
    const sandbox = this.#runtime.sandboxes.find(name);
    const copy = sandbox && this.#copies.get(sandbox);
    if (copy === undefined) return;
    copy.sandbox.isInUse = false;
    const { sandboxes } = this.#runtime;
    if (copy.isNew && !copy.sandbox.journal.isAwaited) sandboxes.forget(name);
    sandboxes.forgetIdle();
  }

  /** A sandbox that was not there a moment ago: all that others have done in it is told. */
  expect(name: string): void {
    const copy = this.open(name);
    if (copy.sandbox.journal.count === 0) copy.isLoaded = true;
  }

  /** The copy may differ from the log: it is loaded again. */
  distrust(name: string): void {
    const sandbox = this.#runtime.sandboxes.find(name);
    const copy = sandbox && this.#copies.get(sandbox);
    if (copy !== undefined) copy.isLoaded = false;
  }

  /** All of them are to be loaded again: another document is served. */
  invalidate(): void {
    this.#copies = new WeakMap();
  }

  /** The copy as the log had it once. Rejects where that cannot be read. */
  async load(name: string): Promise<LocalCopy> {
    const copy = this.open(name);
    if (!copy.isLoaded) this.#replace(copy, await this.#engine.load(name));
    return copy;
  }

  /** The copy as the log has it now. Rejects where that cannot be read. */
  async catchUp(name: string): Promise<LocalCopy> {
    const copy = this.open(name);
    if (!copy.isLoaded) return await this.load(name);
    this.follow(copy, await this.#engine.read(name, copy.version));
    return copy;
  }

  /** Makes a copy what others have made of the sandbox. The first changes may be known: `told`. */
  follow(copy: LocalCopy, missed: Changes | StoredSandbox, told = 0): void {
    if (missed.kind === 'whole') {
      this.#replace(copy, missed);
      return;
    }
    copy.isLoaded = false;
    const { sandbox } = copy;
    for (const [index, line] of missed.changes.entries()) {
      const change = parseChange(line);
      const entries = applyChange(sandbox, change, this.#serving).map(({ entry }) => entry);
      sandbox.journal.show();
      if (index >= told) this.#tell({ sandbox, change, entries });
      copy.changesLength += line.length;
    }
    this.#stand(copy, missed.version, copy.isNew && missed.changes.length === 0);
  }

  /** These changes were made here, and are appended now. */
  commit(copy: LocalCopy, version: number, lines: readonly string[]): void {
    for (const line of lines) copy.changesLength += line.length;
    this.#stand(copy, version, false);
    if (copy.changesLength <= Math.max(leastChanges, copy.snapshotLength)) return;
    const snapshot = renderChange(captureWhole(copy.sandbox, this.author));
    copy.snapshotLength = snapshot.length;
    copy.changesLength = 0;
    this.#engine
      .compact(copy.sandbox.name, version, snapshot)
      .catch((error: unknown) => this.#notify(explain(error)));
  }

  #replace(copy: LocalCopy, { version, snapshot, changes }: StoredSandbox): void {
    const { sandbox, isLoaded } = copy;
    const { journal } = sandbox;
    const known = isLoaded ? journal.count : Number.POSITIVE_INFINITY;
    copy.isLoaded = false;
    clearSandbox(sandbox, this.#serving);
    for (const line of snapshot === undefined ? changes : [snapshot, ...changes]) {
      const change = parseChange(line);
      const entries = applyChange(sandbox, change, this.#serving)
        .map(({ entry }) => entry)
        .filter(({ index }) => index >= known);
      journal.show();
      if (isLoaded) this.#tell({ sandbox, change, entries });
    }
    copy.snapshotLength = snapshot?.length ?? 0;
    copy.changesLength = changes.reduce((length, line) => length + line.length, 0);
    this.#stand(copy, version, snapshot === undefined && changes.length === 0);
    if (!isLoaded) this.#tellMisfits(sandbox);
  }

  #stand(copy: LocalCopy, version: number, isNew: boolean): void {
    copy.version = version;
    copy.isNew = isNew;
    copy.isLoaded = true;
  }

  #tell(remote: RemoteChange): void {
    for (const entry of remote.entries) remote.sandbox.journal.tell(entry);
    this.#onRemote(remote);
  }

  #tellMisfits({ name, store }: Sandbox): void {
    for (const [path, items] of store.aside)
      if (items.length > 0)
        this.#notify(
          `The sandbox ${name} has items of ${path} that do not fit the document: ${items.map(({ id }) => id).join(', ')}. They are hidden until the document fits them again.`,
        );
  }

  get #serving(): Serving {
    return this.#runtime;
  }
}

/** An error as a sentence. */
export function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
