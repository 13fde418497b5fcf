import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { renderJson } from '../../../contract/json/value.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Pipeline } from '../../sandbox/pipeline.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import type { MockRuntime, MockWatcher } from '../../served-document/served-document.ts';
import { type StateEngine, type StateWrite, nextVersion } from '../engine.ts';
import { type LocalCopy, LocalCopies } from './local-copies.ts';
import { KeyedQueues } from './queues.ts';
import { RemoteWatch } from './remote-watch.ts';

export interface DurableStateParts {
  readonly engine: StateEngine;
  readonly runtime: MockRuntime;
  /** Answers a request by a pipeline. Never throws. */
  readonly answer: (request: MockRequest, pipeline: Pipeline) => MockResponse;
  readonly refuse: (refusal: Refusal) => MockResponse;
  /** Called with what the user should know, a sentence each. */
  readonly notify: (notice: string) => void;
}

interface Job {
  readonly request: MockRequest;
  readonly resolve: (response: MockResponse) => void;
}

/** A write of more parts is refused: it would block an engine for seconds. */
const mostParts = 250_000;

/**
 * Stores the sandboxes of a mock in an engine. A request runs on the local copy of its sandbox, and its
 * response is sent once what it changed is stored. If another instance wrote in between, the copy is
 * made what is stored, and the request runs again.
 */
export class DurableState {
  readonly #parts: DurableStateParts;
  readonly #engine: StateEngine;
  readonly #runtime: MockRuntime;
  readonly #copies: LocalCopies;
  readonly #remote: RemoteWatch;
  readonly #queues = new KeyedQueues<Job>(
    (name, jobs) => this.#answer(name, jobs),
    (name) => this.#copies.release(name),
  );
  #isActing = false;
  /** Why sandboxes cannot be stored, by name. */
  readonly #failures = new Map<string, string>();

  constructor(parts: DurableStateParts) {
    const { engine, runtime, notify } = parts;
    this.#parts = parts;
    this.#engine = engine;
    this.#runtime = runtime;
    this.#remote = new RemoteWatch({
      sandboxes: runtime.sandboxes,
      list: () => engine.list(),
      catchUp: async (name, isNew) => {
        if (isNew) this.#copies.expect(name);
        await this.within([name], () => undefined);
      },
    });
    const onRemote = this.#remote.report;
    this.#copies = new LocalCopies({ engine, runtime, notify, onRemote });
  }

  /** Answers a request once what it changes is stored. Never rejects. */
  async respond(request: MockRequest): Promise<MockResponse> {
    const { promise, resolve } = Promise.withResolvers<MockResponse>();
    const { router, keyring } = this.#runtime.pipeline;
    const { endpoint, query } = router.find(request.method, request.target, request.headers);
    const name = keyring.sandboxOf(endpoint, request.headers, query);
    this.#queues.add(name, { request, resolve });
    return await promise;
  }

  /**
   * Acts on sandboxes as they are now, and stores what changed when the act returns; a promise that it
   * returns is awaited after that. The act runs again if others were faster. Rejects as the act throws,
   * and with `PetstoreError` if the state cannot be stored.
   */
  async within<Value>(names: readonly string[], act: () => Value | Promise<Value>): Promise<Value> {
    const outcome = await this.#hold(names, act);
    return await outcome();
  }

  get isActing(): boolean {
    return this.#isActing;
  }

  /** Names of all sandboxes that are stored, `main` first; at most as many as are held in memory. */
  async names(): Promise<readonly string[]> {
    const { main, most } = this.#runtime.sandboxes;
    const others = (await this.#engine.list()).filter((name) => name !== main.name);
    return [main.name, ...others.slice(0, most)];
  }

  /** Reports what happens from now on, here and in other instances. */
  watch(watcher: MockWatcher): () => void {
    const stop = this.#runtime.watch(watcher);
    const stopRemote = this.#remote.add(watcher);
    return () => {
      stop();
      stopRemote();
    };
  }

  /** Sandboxes are read again when they are used next. */
  invalidate(): void {
    this.#copies.invalidate();
  }

  /** Changes how sandboxes are served. What is being written belongs to the document before. */
  async reload<Value>(change: () => Promise<Value>): Promise<Value> {
    try {
      return await change();
    } finally {
      this.#copies.invalidate();
    }
  }

  async #hold<Value>(names: readonly string[], act: () => Value): Promise<() => Value> {
    const release = await this.#queues.take(names);
    try {
      for (;;) {
        const copies = await Promise.all(names.map((name) => this.#copies.catchUp(name)));
        this.#isActing = true;
        const outcome = attempt(act);
        this.#isActing = false;
        if (await this.#storeAll(copies)) return outcome;
        for (const name of names) this.#copies.distrust(name);
      }
    } catch (error) {
      for (const name of names) this.#copies.distrust(name);
      throw error;
    } finally {
      release();
      this.#remote.start();
    }
  }

  async #storeAll(copies: readonly LocalCopy[]): Promise<boolean> {
    for (const copy of copies) {
      const { name } = copy.sandbox;
      if (this.#runtime.sandboxes.find(name) !== copy.sandbox) await this.#engine.forget(name);
      else if (!(await this.#store(copy))) return false;
    }
    return true;
  }

  /** Answers requests of one sandbox in their order, and stores together what they change. */
  async #answer(name: string, jobs: readonly Job[]): Promise<void> {
    try {
      let copy = await this.#copies.load(name);
      let done = jobs.map((job) => this.#run(job));
      while (!(await this.#store(copy))) {
        copy = await this.#copies.catchUp(name);
        done = jobs.map((job) => this.#run(job));
      }
      this.#failures.delete(name);
      const { onEntry } = this.#runtime.pipeline;
      for (const { entry } of done) {
        if (entry === undefined) continue;
        copy.sandbox.journal.notify(entry);
        onEntry?.(entry);
      }
      for (const { job, response } of done) job.resolve(response);
    } catch (error) {
      this.#copies.distrust(name);
      const reason = explain(error);
      this.#reportFailure(name, reason);
      const message = `The state of the mock cannot be stored: ${reason}`;
      for (const { resolve } of jobs)
        resolve(this.#parts.refuse(refuse('internal_fault', message)));
    }
  }

  #run(job: Job) {
    let entry: JournalEntry | undefined;
    const onEntry = (one: JournalEntry): void => {
      entry = one;
    };
    const response = this.#parts.answer(job.request, { ...this.#runtime.pipeline, onEntry });
    return { job, response, entry };
  }

  /** False if another instance wrote first: the copy has to catch up. */
  async #store(copy: LocalCopy): Promise<boolean> {
    const changes = copy.stored.compare(copy.sandbox);
    if (changes.length === 0) return true;
    if (changes.length > mostParts) throw tooLarge(copy.sandbox, changes.length);
    const { name } = copy.sandbox;
    const next = nextVersion(copy.version);
    const parts = new Map(changes.map(({ part, text }) => [renderJson(part), text()]));
    if (!(await this.#write({ sandbox: name, after: copy.version, next, parts }))) return false;
    for (const { commit } of changes) commit();
    copy.version = next;
    return true;
  }

  async #write(write: StateWrite): Promise<boolean> {
    try {
      return await this.#engine.write(write);
    } catch (error) {
      // It may have been stored all the same: the engine knows.
      const found = await this.#engine.read(write.sandbox, write.after).catch(() => undefined);
      if (found === undefined || found.version === write.after) throw error;
      return await this.#engine.write(write);
    }
  }

  /** Once for all sandboxes with the same failure, until one of them can be stored again. */
  #reportFailure(name: string, message: string): void {
    const isKnown = [...this.#failures.values()].includes(message);
    this.#failures.set(name, message);
    if (!isKnown) this.#parts.notify(message);
  }
}

/** What an act returns or throws, when it is asked for. */
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

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function tooLarge({ name }: Sandbox, count: number): PetstoreError {
  return new PetstoreError(
    'state',
    `The sandbox ${name} changed in ${count} parts at once, such as items; at most ${mostParts} are stored together.`,
    { remedy: 'Use fewer items, or keep the state in memory.' },
  );
}
