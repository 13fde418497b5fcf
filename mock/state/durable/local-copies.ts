import type { SandboxPart } from '../../control/declaration/operations.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { MockRuntime } from '../../served-document/served-document.ts';
import type { StateEngine, StoredSandbox } from '../engine.ts';
import { type Facts, parsePartName } from './facts.ts';
import { StoredParts } from './parts.ts';

/** A sandbox in memory, and what of it is stored. */
export interface LocalCopy {
  readonly sandbox: Sandbox;
  stored: StoredParts;
  /** Of what is stored; undefined for nothing. */
  version: string | undefined;
  /** False: it may differ from what is stored, and is read again before it is used. */
  isLoaded: boolean;
}

/** What another instance changed. */
export interface RemoteChange {
  readonly sandbox: Sandbox;
  /** Without a request. */
  readonly parts: readonly SandboxPart[];
  readonly entries: readonly JournalEntry[];
}

interface Surroundings {
  readonly engine: StateEngine;
  readonly runtime: MockRuntime;
  /** Called with what does not fit the document, a sentence each. */
  readonly notify: (notice: string) => void;
  /** Called with what others changed in a sandbox that was loaded before. */
  readonly onRemote: (change: RemoteChange) => void;
}

/** The sandboxes that are in memory. */
export class LocalCopies {
  readonly #surroundings: Surroundings;
  #copies = new WeakMap<Sandbox, LocalCopy>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** The copy of a sandbox, which stays in memory until it is released. */
  open(name: string): LocalCopy {
    const { runtime } = this.#surroundings;
    const sandbox = runtime.sandboxes.open(name);
    sandbox.isInUse = true;
    sandbox.journal.isQuiet = true;
    const known = this.#copies.get(sandbox);
    if (known !== undefined) return known;
    const stored = new StoredParts(runtime);
    const copy = { sandbox, stored, version: undefined, isLoaded: false };
    this.#copies.set(sandbox, copy);
    return copy;
  }

  /** Nothing is under way in a sandbox: it can be evicted, and is if nothing of it is stored. */
  release(name: string): void {
    const { sandboxes } = this.#surroundings.runtime;
    const sandbox = sandboxes.find(name);
    if (sandbox === undefined) return;
    sandbox.isInUse = false;
    const isUnstored = this.#copies.get(sandbox)?.version === undefined;
    if (isUnstored && !sandbox.journal.isAwaited) sandboxes.forget(name);
    sandboxes.forgetIdle();
  }

  /** A sandbox that was just created by another instance: all that happened in it is reported. */
  expect(name: string): void {
    const copy = this.open(name);
    if (copy.sandbox.journal.count === 0) copy.isLoaded = true;
  }

  /** The copy may differ from what is stored. */
  distrust(name: string): void {
    const copy = this.#find(name);
    if (copy !== undefined) copy.isLoaded = false;
  }

  /** Every sandbox is read again before it is used next. */
  invalidate(): void {
    this.#copies = new WeakMap();
  }

  /** The copy as it was stored at some time. Rejects if it cannot be read. */
  async load(name: string): Promise<LocalCopy> {
    const copy = this.open(name);
    return copy.isLoaded ? copy : await this.catchUp(name);
  }

  /** The copy as it is stored now. Rejects if that cannot be read. */
  async catchUp(name: string): Promise<LocalCopy> {
    const copy = this.open(name);
    const after = copy.isLoaded ? copy.version : undefined;
    const found = await this.#surroundings.engine.read(name, after);
    if (copy.isLoaded && found.version === copy.version) return copy;
    this.#follow(copy, found);
    return copy;
  }

  /** Makes the sandbox what it was before requests that were not stored, and then what others made it. */
  #follow(copy: LocalCopy, { version, isWhole, parts }: StoredSandbox): void {
    const { sandbox, isLoaded } = copy;
    const { runtime, onRemote } = this.#surroundings;
    const before = copy.stored.facts;
    copy.isLoaded = false;
    if (isWhole) copy.stored = new StoredParts(runtime);
    copy.stored.put(parts);
    copy.stored.restore(sandbox, isWhole);
    copy.version = version;
    copy.isLoaded = true;
    if (!isLoaded) {
      this.#reportMisfits(sandbox);
      return;
    }
    const { facts } = copy.stored;
    const known = before?.requests ?? 0;
    const entries = sandbox.journal.entries.filter(({ index }) => index >= known);
    for (const entry of entries) sandbox.journal.notify(entry);
    const names = isWhole ? [] : parts.keys();
    const changed = changedParts(names, before, facts);
    const own = changed.filter((part) => entries.length === 0 || !changedByRequests.has(part));
    onRemote({ sandbox, parts: own, entries });
  }

  #find(name: string): LocalCopy | undefined {
    const sandbox = this.#surroundings.runtime.sandboxes.find(name);
    return sandbox && this.#copies.get(sandbox);
  }

  #reportMisfits({ name, store }: Sandbox): void {
    for (const [path, items] of store.aside)
      if (items.length > 0)
        this.#surroundings.notify(
          `The sandbox ${name} has items of ${path} that do not fit the document: ${items.map(({ id }) => id).join(', ')}. They are hidden until the document fits them again.`,
        );
  }
}

const partsOfKinds: Readonly<Record<string, SandboxPart>> = {
  item: 'items',
  entity: 'items',
  stubs: 'stubs',
  snapshot: 'snapshots',
  entry: 'journal',
};

const partsOfFacts = [
  ['clock', 'clock'],
  ['choices', 'choices'],
  ['faults', 'faults'],
  ['limits', 'quotas'],
  ['counts', 'quotas'],
  ['collections', 'items'],
] as const;

/** Whoever hears of a request reads these again. */
const changedByRequests: ReadonlySet<SandboxPart> = new Set([
  'items',
  'journal',
  'quotas',
  'faults',
  'stubs',
]);

/** What another instance changed. */
function changedParts(
  names: Iterable<string>,
  before: Facts | undefined,
  now: Facts | undefined,
): readonly SandboxPart[] {
  const changed = new Set<SandboxPart>();
  for (const name of names) {
    const [kind] = parsePartName(name);
    const part = typeof kind === 'string' ? partsOfKinds[kind] : undefined;
    if (part !== undefined) changed.add(part);
  }
  for (const [name, part] of partsOfFacts)
    if (renderValue(before?.[name]) !== renderValue(now?.[name])) changed.add(part);
  return [...changed];
}

function renderValue(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
}
