import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { messageOf } from '../../../contract/source/diagnostic.ts';
import { sandboxParts } from '../../control/declaration/routes.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Pipeline } from '../../sandbox/pipeline.ts';
import type { MockRuntime, MockWatcher } from '../../served-document/served-document.ts';
import { type StateEngine, type StateWrite, nextVersion } from '../engine.ts';
import { StoredSandbox } from './stored-sandbox.ts';

export interface DurableStateParts {
  readonly engine: StateEngine;
  readonly runtime: MockRuntime;
  /** Runs a request through a pipeline. Never throws. */
  readonly answer: (request: MockRequest, pipeline: Pipeline) => MockResponse;
  readonly refuse: (refusal: Refusal) => MockResponse;
  /** Called with notices for the user, one sentence each. */
  readonly notify: (notice: string) => void;
}

interface Job {
  readonly request: MockRequest;
  readonly resolve: (response: MockResponse) => void;
}

/** Requests of a sandbox that are run as one batch, at most. */
const maxTogether = 256;

/** A write of more parts is refused, because it would block an engine for seconds. */
const maxParts = 250_000;

/** Milliseconds between polls for the changes of other instances. */
const pollPause = 1000;

/**
 * Stores the sandboxes of a mock in an engine. A request runs on the local copy of its sandbox, and
 * its response is sent once its changes are stored. If another instance wrote in between, the copy
 * is reloaded and the request runs again.
 */
export class DurableState {
  readonly #parts: DurableStateParts;
  readonly #engine: StateEngine;
  readonly #runtime: MockRuntime;
  /** The stored forms of the copies in memory, by sandbox. */
  #copies = new WeakMap<object, StoredSandbox>();
  /** By sandbox, the end of the queue of pending work. */
  readonly #tails = new Map<string, Promise<void>>();
  /** By sandbox, requests waiting for the next batch. */
  readonly #batches = new Map<string, Job[]>();
  /** A call of `within` is under way. */
  isActing = false;
  /** Why the state could not be stored, which is reported once, until it can be again. */
  #failure: string | undefined;
  readonly #watchers = new Set<MockWatcher>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Sandboxes that existed at the last poll; undefined before the first. */
  #known: ReadonlySet<string> | undefined;

  constructor(parts: DurableStateParts) {
    this.#parts = parts;
    this.#engine = parts.engine;
    this.#runtime = parts.runtime;
  }

  /** Responds to a request after its changes are stored. Never rejects. */
  async respond(request: MockRequest): Promise<MockResponse> {
    const { promise, resolve } = Promise.withResolvers<MockResponse>();
    const { router, keyring } = this.#runtime.pipeline;
    const { endpoint, query } = router.find(request.method, request.target, request.headers);
    const name = keyring.sandboxOf(endpoint, request.headers, query);
    const waiting = this.#batches.get(name);
    if (waiting !== undefined && waiting.length < maxTogether) waiting.push({ request, resolve });
    else {
      const batch = [{ request, resolve }];
      this.#batches.set(name, batch);
      void this.#inTurn([name], async () => {
        if (this.#batches.get(name) === batch) this.#batches.delete(name);
        await this.#answer(name, batch);
      });
    }
    return await promise;
  }

  /**
   * Runs an act on the current sandboxes and stores the changes when it returns; a promise that it
   * returns is awaited afterwards. The act runs again after a conflict. Rejects if the act throws,
   * and with `PetstoreError` if the state cannot be stored.
   */
  async within<Value>(names: readonly string[], act: () => Value | Promise<Value>): Promise<Value> {
    const outcome = await this.#inTurn(names, async () => await this.#act(names, act));
    this.#startPolling();
    return await outcome();
  }

  /** Names of all stored sandboxes, `main` first; at most as many as are held in memory. */
  async names(): Promise<readonly string[]> {
    const { main, most } = this.#runtime.sandboxes;
    const others = (await this.#engine.list()).filter((name) => name !== main.name);
    return [main.name, ...others.slice(0, most)];
  }

  /** Reports events from now on, of this and other instances. */
  watch(watcher: MockWatcher): () => void {
    const stop = this.#runtime.watch(watcher);
    this.#watchers.add(watcher);
    this.#startPolling();
    return () => {
      stop();
      this.#watchers.delete(watcher);
    };
  }

  /** Sandboxes are reloaded before their next use. */
  invalidate(): void {
    this.#copies = new WeakMap();
  }

  /** Runs an act after all pending work on these sandboxes. */
  async #inTurn<Value>(names: readonly string[], act: () => Promise<Value>): Promise<Value> {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const before = names.map((name) => this.#tails.get(name) ?? Promise.resolve());
    // All in one step, so that two acts never wait for each other.
    for (const name of names) this.#tails.set(name, done);
    await Promise.all(before);
    try {
      return await act();
    } finally {
      resolve();
      for (const name of names) if (this.#tails.get(name) === done) this.#release(name);
    }
  }

  /**
   * A sandbox has no pending work, so it may be evicted. It is evicted at once if nothing of it is
   * stored, unless somebody watches for changes by other instances.
   */
  #release(name: string): void {
    this.#tails.delete(name);
    const { sandboxes } = this.#runtime;
    const sandbox = sandboxes.find(name);
    if (sandbox === undefined) return;
    sandbox.isInUse = false;
    const isUnstored = this.#copies.get(sandbox)?.version === undefined;
    if (isUnstored && this.#watchers.size === 0) sandboxes.forget(name);
    sandboxes.forgetIdle();
  }

  /**
   * Runs an act on copies of sandboxes until its changes are stored. Returns a function that
   * returns or throws what the act did. `readsFirst`: reloads the copies first.
   */
  async #act<Value>(
    names: readonly string[],
    act: () => Value,
    readsFirst = true,
  ): Promise<() => Value> {
    try {
      for (let isFirst = true; ; isFirst = false) {
        const copies = await Promise.all(
          names.map(async (name) => {
            const copy = this.#open(name);
            const isReady = copy.isLoaded && isFirst && !readsFirst;
            return isReady ? copy : await this.#catchUp(copy, !isFirst);
          }),
        );
        this.isActing = true;
        const outcome = attempt(act);
        this.isActing = false;
        if (await this.#storeAll(copies)) return outcome;
      }
    } catch (error) {
      // The copies may differ from the stored state.
      for (const name of names) this.#open(name).isLoaded = false;
      throw error;
    }
  }

  async #storeAll(copies: readonly StoredSandbox[]): Promise<boolean> {
    for (const copy of copies) {
      const { name } = copy.sandbox;
      if (this.#runtime.sandboxes.find(name) !== copy.sandbox) await this.#engine.forget(name);
      else if (!(await this.#store(copy))) return false;
    }
    return true;
  }

  /** Responds to requests of one sandbox in order, and stores their changes together. */
  async #answer(name: string, jobs: readonly Job[]): Promise<void> {
    try {
      const outcome = await this.#act([name], () => jobs.map((job) => this.#run(job)), false);
      const done = outcome();
      this.#failure = undefined;
      for (const watcher of this.#runtime.pipeline.watchers)
        for (const { entry } of done) if (entry !== undefined) watcher.onEntry(entry);
      for (const { job, response } of done) job.resolve(response);
    } catch (error) {
      const reason = messageOf(error);
      if (this.#failure !== reason) this.#parts.notify(reason);
      this.#failure = reason;
      const message = `The state of the mock cannot be stored: ${reason}`;
      for (const { resolve } of jobs)
        resolve(this.#parts.refuse(refuse('internal_fault', message)));
    }
  }

  #run(job: Job) {
    let entry: JournalEntry | undefined;
    const watcher = { onEntry: (one: JournalEntry) => void (entry = one) };
    const { pipeline } = this.#runtime;
    const response = this.#parts.answer(job.request, { ...pipeline, watchers: [watcher] });
    return { job, response, entry };
  }

  /** The stored form of a sandbox, which stays in memory until it is released. */
  #open(name: string): StoredSandbox {
    const sandbox = this.#runtime.sandboxes.open(name);
    sandbox.isInUse = true;
    const copy = this.#copies.get(sandbox) ?? new StoredSandbox(this.#runtime, sandbox);
    this.#copies.set(sandbox, copy);
    return copy;
  }

  /**
   * Reloads a copy if the stored version changed. `isChanged`: it has changes that were not stored.
   */
  async #catchUp(copy: StoredSandbox, isChanged = false): Promise<StoredSandbox> {
    const wasLoaded = copy.isLoaded;
    const found = await this.#engine.read(copy.sandbox.name, wasLoaded ? copy.version : undefined);
    const isSame = wasLoaded && found.version === copy.version;
    if (isSame && !isChanged) return copy;
    const seen = copy.about?.requests ?? 0;
    copy.isLoaded = false;
    copy.put(found.parts, found.isWhole);
    copy.restore(found.isWhole);
    copy.version = found.version;
    copy.isLoaded = true;
    if (!wasLoaded) this.#reportMisfits(copy);
    else if (!isSame) this.#reportRemote(copy, seen);
    return copy;
  }

  /** Reports that another instance changed the sandbox. `seen`: number of requests known before. */
  #reportRemote({ sandbox }: StoredSandbox, seen: number): void {
    const entries = sandbox.journal.entries.filter(({ index }) => index >= seen);
    for (const watcher of this.#watchers) {
      for (const entry of entries) watcher.onEntry(entry);
      watcher.onChange?.(sandbox.name, sandboxParts);
    }
  }

  #reportMisfits({ sandbox: { name, store } }: StoredSandbox): void {
    for (const [path, { items }] of store.aside)
      if (items.length > 0)
        this.#parts.notify(
          `The sandbox ${name} has items of ${path} that do not fit the document: ${items.map(({ id }) => id).join(', ')}. They are hidden until the document fits them again.`,
        );
  }

  /** False if another instance wrote first: the copy must be reloaded. */
  async #store(copy: StoredSandbox): Promise<boolean> {
    const parts = copy.compare();
    if (parts.size === 0) return true;
    const { name } = copy.sandbox;
    if (parts.size > maxParts)
      throw new PetstoreError(
        'state',
        `The sandbox ${name} changed in ${parts.size} parts at once, such as items; at most ${maxParts} are stored together.`,
        { remedy: 'Use fewer items, or keep the state in memory.' },
      );
    const next = nextVersion(copy.version);
    if (!(await this.#write({ sandbox: name, after: copy.version, next, parts }))) return false;
    copy.commit(next);
    return true;
  }

  async #write(write: StateWrite): Promise<boolean> {
    try {
      return await this.#engine.write(write);
    } catch (error) {
      // The write may have succeeded despite the error, so ask the engine.
      const found = await this.#engine.read(write.sandbox, write.after).catch(() => undefined);
      if (found === undefined || found.version === write.after) throw error;
      return await this.#engine.write(write);
    }
  }

  #startPolling(): void {
    if (this.#timer === undefined && this.#watchers.size > 0)
      this.#timer = setTimeout(() => void this.#poll(), pollPause);
  }

  /** Reads the changes of other instances. */
  async #poll(): Promise<void> {
    try {
      const listed = await this.#engine.list();
      const local = this.#runtime.sandboxes.all.map(({ name }) => name);
      const added = new Set(listed.filter((name) => this.#known?.has(name) === false));
      this.#known = new Set([...listed, ...local]);
      for (const name of new Set([...local, ...added])) {
        // Reports everything that happened in a sandbox that another instance has just created.
        const copy = added.has(name) ? this.#open(name) : undefined;
        if (copy?.sandbox.journal.count === 0) copy.isLoaded = true;
        await this.within([name], () => undefined);
      }
    } catch {
      // Requests report the error. Watchers get nothing more until the state can be read again.
    }
    this.#timer = undefined;
    if (this.#watchers.size === 0) this.#known = undefined;
    this.#startPolling();
  }
}

/** Calls an act now, and returns a function that returns or throws its result. */
function attempt<Value>(act: () => Value): () => Value {
  try {
    const value = act();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
