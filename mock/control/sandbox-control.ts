import * as codec from '../../contract/json/codec.ts';
import { parseJson } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { Webhook } from '../../contract/openapi/operation.ts';
import type { Exchange, JournalEntry } from '../sandbox/journal-entry.ts';
import type { MockRuntime } from '../served-document/served-document.ts';
import { keysIn } from '../sandbox/keyring.ts';
import type { Sandbox, Snapshot } from '../sandbox/sandbox.ts';
import { type SandboxClock, onTime } from '../sandbox/clock.ts';
import type { Collection } from '../items/collection.ts';
import { type Seed, storeSeed } from '../items/seed.ts';
import type { ChoiceIds } from '../sandbox/service.ts';
import { type Faults, faultsOf } from './fault/faults.ts';
import {
  type ItemCollection,
  findCollection,
  listCollections,
} from '../items/control/item-collections.ts';
import { changeQuota, readQuotas, renameCounts, resetQuotas } from './quota/quota.ts';
import type {
  Delivery,
  Fault,
  FaultRule,
  JournalFilter,
  Quota,
  QuotaChange,
  State,
} from './declaration/schemas.ts';
import { type Stubs, stubsOf } from './stub/stubs.ts';
import { type WebhookOrder, explainNoAddress, lastAddress, sendWebhook } from './webhook/send.ts';

/** How long to wait, and for how many. */
export interface JournalWait {
  /** Default: 1. */
  readonly count?: number | undefined;
  /** Milliseconds of the machine, whatever the sandbox's clock does. */
  readonly milliseconds: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Snapshots of a sandbox. */
export const maxSnapshots = 100;

/** Control over one sandbox. Changes apply from the next request on. */
export class SandboxControl {
  readonly #runtime: MockRuntime;
  readonly #sandbox: Sandbox;
  readonly #watch: MockRuntime['watch'];

  /** `watch`: reports what happens in the mock, in other processes too. */
  constructor(runtime: MockRuntime, sandbox: Sandbox, watch: MockRuntime['watch']) {
    this.#runtime = runtime;
    this.#sandbox = sandbox;
    this.#watch = watch;
  }

  get name(): string {
    return this.#sandbox.name;
  }

  get stubs(): Stubs {
    return stubsOf(this.#sandbox, this.#runtime.sandboxes.memory);
  }

  /** A key of each plan that opens the sandbox. */
  get knownKeys(): ReturnType<typeof keysIn> {
    return keysIn(this.#sandbox.service.contract, this.name);
  }

  /** Valid keys that were seen here. */
  get keys(): readonly string[] {
    return this.#sandbox.keys;
  }

  /** The document that is served here. */
  get contract(): Contract {
    return this.#sandbox.service.contract;
  }

  get clock(): SandboxClock {
    return this.#sandbox.clock;
  }

  /** Number of requests since the sandbox began. */
  get requests(): number {
    return this.#sandbox.journal.count;
  }

  /** All items by collection path: the form of a seed. Nested collections are in it once they are used. */
  readState(): State {
    const top = this.#sandbox.service.collections.top.map(({ path }) => path);
    return Object.fromEntries(this.#at(top).map(({ path, all }) => [path, all]));
  }

  /** Number of items by collection path; those whose responses differ are included once they are used. */
  get itemCounts(): Readonly<Record<string, number>> {
    const plain = this.#sandbox.service.collections.plain.map(({ path }) => path);
    return Object.fromEntries(this.#at(plain).map(({ path, count }) => [path, count]));
  }

  /**
   * Replaces all items. Throws `PetstoreError`, and then nothing changes. `isLenient`: replaces only
   * those of the collections in `state`, and leaves out items that do not fit.
   */
  replaceState(state: Seed, isLenient = false): void {
    this.admit();
    const { store, service } = this.#sandbox;
    const { collections } = service;
    const fresh = new Map(
      isLenient
        ? [...store.inventories].filter(([path]) => !Object.hasOwn(state, path))
        : collections.top.map((one) => [one.path, one.openEmpty()]),
    );
    const open = (path: string, collection: Collection) => {
      const inventory = fresh.get(path) ?? collection.openEmpty();
      fresh.set(path, inventory);
      return { inventory, now: this.clock.now() };
    };
    storeSeed(state, collections, open, isLenient ? () => {} : undefined);
    store.restore(fresh);
  }

  /** Restores the seed. */
  resetState(): void {
    this.#sandbox.store.restore(new Map());
  }

  /** The collections, in the order of the document; nested ones within existing items. */
  get collections(): readonly ItemCollection[] {
    return listCollections(this.#sandbox);
  }

  /** The collection at a path; undefined if the document has none. */
  collection(path: string): ItemCollection | undefined {
    return findCollection(this.#sandbox, path);
  }

  /** The collections at these paths, and those that are used. */
  #at(paths: readonly string[]): readonly ItemCollection[] {
    const used = this.#sandbox.store.inventories.keys();
    return [...new Set([...paths, ...used])].flatMap(
      (path) => findCollection(this.#sandbox, path) ?? [],
    );
  }

  /** The choice for every question of the document. */
  get choices(): ChoiceIds {
    return this.#sandbox.service.choices.choices;
  }

  /** Changes choices, all or none; null for that of the mock. Throws `PetstoreError`. */
  choose(changes: Readonly<Record<string, string | null>>): void {
    const wanted = Object.entries({ ...this.#sandbox.choices, ...changes });
    this.#runtime.choose(
      this.#sandbox,
      Object.fromEntries(wanted.flatMap(([id, choice]) => (choice === null ? [] : [[id, choice]]))),
    );
  }

  /** Returns to the choices of the mock. */
  resetChoices(): void {
    this.#runtime.choose(this.#sandbox, {});
  }

  get faults(): Faults {
    return faultsOf(this.#sandbox);
  }

  /** Throws `PetstoreError`. */
  addFault(rule: FaultRule): Fault {
    return this.faults.add(rule);
  }

  get quotas(): readonly Quota[] {
    return readQuotas(this.#sandbox);
  }

  /** Throws `PetstoreError`. */
  changeQuota(plan: string, change: QuotaChange): Quota {
    return changeQuota(this.#sandbox, plan, change);
  }

  resetQuotas(): void {
    resetQuotas(this.#sandbox);
  }

  /** The entries that the journal keeps and that match, oldest first. */
  journal(filter: JournalFilter = {}): readonly JournalEntry[] {
    return this.#sandbox.journal.entries.filter((entry) => fits(entry, filter));
  }

  /**
   * Resolves as soon as so many entries match, or with fewer when the time is over: those of the journal, and
   * from then on those of the sandbox with this name, which may not be there yet.
   */
  async waitFor(
    filter: JournalFilter,
    { count = 1, milliseconds, signal }: JournalWait,
  ): Promise<readonly JournalEntry[]> {
    const found = [...this.journal(filter)];
    if (found.length >= count || signal?.aborted === true) return found;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const stopWaiting = (): void => end();
    const timer = setTimeout(stopWaiting, milliseconds);
    signal?.addEventListener('abort', stopWaiting, { once: true });
    const stop = this.#watch({
      onEntry: (entry) => {
        if (entry.sandbox === this.name && fits(entry, filter)) found.push(entry);
        if (found.length >= count) end();
      },
      onReload: () => {},
    });
    await promise;
    stop();
    clearTimeout(timer);
    signal?.removeEventListener('abort', stopWaiting);
    return found;
  }

  /** The entry of an index, with its details; undefined if it is no longer kept. */
  exchange(index: number): Exchange | undefined {
    return this.#sandbox.journal.exchangeAt(index);
  }

  clearJournal(): void {
    this.#sandbox.journal.clear();
  }

  /** The webhooks and callbacks of the document. */
  get webhooks(): readonly Webhook[] {
    return this.#sandbox.service.contract.webhooks;
  }

  /**
   * Sends a webhook or a callback, and resolves with the response of the receiver. Rejects with
   * `PetstoreError`: code `webhook` if it cannot be sent or must not go to that URL, code `receiver` if
   * there is no response.
   */
  async sendWebhook(name: string, order: WebhookOrder = {}): Promise<Delivery> {
    const webhook = this.webhooks.find((one) => one.name === name);
    if (webhook === undefined) throw new PetstoreError('webhook', `There is no webhook "${name}".`);
    const url = order.url ?? lastAddress(this.#sandbox.journal.entries, name);
    if (url === undefined) throw new PetstoreError('webhook', explainNoAddress(webhook, this.name));
    return await sendWebhook(webhook, url, order);
  }

  get snapshots(): readonly string[] {
    return [...this.#sandbox.snapshots.keys()];
  }

  /** Saves the sandbox under a name. Throws `PetstoreError` for one snapshot too many. */
  takeSnapshot(name: string): void {
    const { snapshots } = this.#sandbox;
    if (!snapshots.has(name) && snapshots.size >= maxSnapshots)
      throw new PetstoreError('snapshot', `A sandbox has at most ${maxSnapshots} snapshots.`);
    this.admit();
    snapshots.set(name, this.#sandbox.snapshot);
  }

  /** Throws `PetstoreError` if the sandbox must not grow. */
  admit(): void {
    this.#runtime.sandboxes.memory.admit(this.#sandbox);
  }

  /**
   * Restores a snapshot, in this sandbox or another. Stubs of the file stay as they are. Throws
   * `PetstoreError` if there is no such snapshot, or the document no longer has its choices.
   */
  restoreSnapshot(name: string, into: SandboxControl = this): void {
    const snapshot = this.#sandbox.snapshots.get(name);
    if (snapshot === undefined)
      throw new PetstoreError('snapshot', `There is no snapshot "${name}".`);
    into.#restore(snapshot, this.name);
  }

  #restore(snapshot: Snapshot, from: string): void {
    this.admit();
    const buckets = renameCounts(snapshot.buckets, from, this.name);
    restoreSandbox(this.#runtime, this.#sandbox, { ...snapshot, buckets });
  }

  /** False if there is none with that name. */
  dropSnapshot(name: string): boolean {
    return this.#sandbox.snapshots.delete(name);
  }

  /** Makes another sandbox a copy of this one. */
  fork(into: SandboxControl): void {
    into.#restore(this.#sandbox.snapshot, this.name);
  }

  /** Resets everything; the journal continues to count. */
  reset(): void {
    renewSandbox(this.#runtime, this.#sandbox);
    this.clearJournal();
  }
}

function fits(
  entry: JournalEntry,
  { operation, method, status, path, check, from = 0 }: JournalFilter,
): boolean {
  return (
    entry.index >= from &&
    (operation === undefined || entry.operation === operation) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || entry.status === status) &&
    (path === undefined || entry.target.startsWith(path)) &&
    (check === undefined || entry.refusal?.check === check)
  );
}

/**
 * Makes a sandbox what it was, except for its journal and its snapshots. Throws `PetstoreError`, and
 * changes nothing, if the document does not have its choices or limits now.
 */
function restoreSandbox(
  runtime: MockRuntime,
  sandbox: Sandbox,
  { document, state, clock, choices, limits, buckets, rules }: Snapshot,
): void {
  runtime.serviceFor(choices).openMeter(undefined, limits);
  sandbox.limits = limits;
  runtime.choose(sandbox, choices);
  sandbox.store.restore(state);
  const { collections } = sandbox.service;
  if (document !== sandbox.document) sandbox.store.convert((path) => collections.findPlain(path));
  sandbox.clock.restore(clock);
  sandbox.restoreCounts(buckets);
  const { faults, stubs } = codec.jsonObject.read(rules === '' ? {} : parseJson(rules), '');
  faultsOf(sandbox).restore(faults);
  stubsOf(sandbox, runtime.sandboxes.memory).restore(stubs, true);
}

/** Makes a sandbox a new one, except for its journal. */
export function renewSandbox(runtime: MockRuntime, sandbox: Sandbox): void {
  restoreSandbox(runtime, sandbox, {
    document: runtime.sandboxes.main.document,
    state: new Map(),
    clock: onTime,
    choices: {},
    limits: {},
    buckets: [],
    rules: '',
  });
  sandbox.snapshots.clear();
  runtime.sandboxes.initialize?.(sandbox);
}
