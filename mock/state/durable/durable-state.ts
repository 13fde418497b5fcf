import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Pipeline } from '../../sandbox/pipeline.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import type { MockRuntime, MockWatcher } from '../../served-document/served-document.ts';
import { type SandboxMark, captureChange, markSandbox, undoRequest } from '../change/capture.ts';
import { isNothing, renderChange } from '../change/change.ts';
import type { Appended, StateEngine } from '../engine.ts';
import { KeyedQueues } from './keyed-queues.ts';
import { type LocalCopy, LocalCopies, explain } from './local-copy.ts';
import { RemoteWatch } from './remote-watch.ts';
import { Gate } from './gate.ts';

/** What a mock brings for its state to last. */
export interface DurableStateParts {
  readonly engine: StateEngine;
  readonly runtime: MockRuntime;
  /** Answers a request by a pipeline. Never throws. */
  readonly answer: (pipeline: Pipeline, request: MockRequest) => MockResponse;
  readonly refuse: (refusal: Refusal) => MockResponse;
  /** Is told what the user should know, a sentence each. */
  readonly notify: (notice: string) => void;
}

interface Job {
  readonly request: MockRequest;
  readonly resolve: (response: MockResponse) => void;
}

/** A request that was answered on the local copy. */
interface Done {
  readonly job: Job;
  readonly mark: SandboxMark;
  readonly response: MockResponse;
  readonly entry: JournalEntry | undefined;
  /** What it changed; undefined for nothing. */
  readonly line: string | undefined;
}

/**
 * Keeps the sandboxes of a mock in an engine. A request runs on the local copy of its sandbox; its
 * response is sent once what it changed is appended to the log. Where others have appended before,
 * the copy follows them and the request runs again.
 */
export class DurableState {
  readonly #engine: StateEngine;
  readonly #runtime: MockRuntime;
  readonly #answer: DurableStateParts['answer'];
  readonly #refuse: DurableStateParts['refuse'];
  readonly #notify: DurableStateParts['notify'];
  readonly #copies: LocalCopies;
  readonly #gate = new Gate();
  readonly #remote: RemoteWatch;
  readonly #queues = new KeyedQueues<Job>(
    (name, jobs) => this.#commit(name, jobs),
    (name) => this.#copies.release(name),
  );
  #isActing = false;
  /** What is wrong with sandboxes that cannot be kept, by name. */
  readonly #failures = new Map<string, string>();

  constructor({ engine, runtime, answer, refuse: refusing, notify }: DurableStateParts) {
    this.#engine = engine;
    this.#runtime = runtime;
    this.#answer = answer;
    this.#refuse = refusing;
    this.#notify = notify;
    this.#remote = new RemoteWatch({
      sandboxes: runtime.sandboxes,
      list: () => engine.list(),
      catchUp: async (name, isNew) => {
        if (isNew) this.#copies.expect(name);
        await this.within([name], () => undefined);
      },
    });
    const onRemote = this.#remote.tell;
    this.#copies = new LocalCopies({ engine, runtime, notify, onRemote });
  }

  /** Answers a request once what it changes will last. Never rejects. */
  async respond(request: MockRequest): Promise<MockResponse> {
    await this.#gate.enter();
    const { promise, resolve } = Promise.withResolvers<MockResponse>();
    const { router, keyring } = this.#runtime.pipeline;
    const { endpoint, query } = router.find(request.method, request.target, request.headers);
    const name = keyring.sandboxOf(endpoint, request.headers, query);
    this.#queues.add(name, { request, resolve });
    const response = await promise;
    this.#gate.leave();
    return response;
  }

  /**
   * Acts on sandboxes as they are now, and keeps what has changed when the act returns; a promise
   * that it returns is awaited after that. It is called again where others were faster. Rejects as
   * the act throws, and with `PetstoreError` where the state cannot be kept.
   */
  async within<Value>(names: readonly string[], act: () => Value | Promise<Value>): Promise<Value> {
    const outcome = await this.#hold(names, act);
    return await outcome();
  }

  get isActing(): boolean {
    return this.#isActing;
  }

  /** Names of all sandboxes that are kept, `main` first; at most as many as are held in memory. */
  async names(): Promise<readonly string[]> {
    const { main, most } = this.#runtime.sandboxes;
    const others = (await this.#engine.list()).filter((name) => name !== main.name);
    return [main.name, ...others.slice(0, most)];
  }

  /** Tells what happens from now on, here and where others share the state. */
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

  /** Changes how sandboxes are served, while nothing is under way in them. */
  async reload<Value>(change: () => Promise<Value>): Promise<Value> {
    await this.#gate.close();
    try {
      return await change();
    } finally {
      this.#copies.invalidate();
      this.#gate.open();
    }
  }

  async #hold<Value>(names: readonly string[], act: () => Value): Promise<() => Value> {
    await this.#gate.enter();
    const release = await this.#queues.take(names);
    try {
      for (;;) {
        const copies = await Promise.all(names.map((name) => this.#copies.catchUp(name)));
        const marked = copies.map((copy) => ({ copy, mark: markSandbox(copy.sandbox) }));
        this.#isActing = true;
        const outcome = attempt(act);
        this.#isActing = false;
        if (await this.#keepAll(marked)) return outcome;
      }
    } catch (error) {
      for (const name of names) this.#copies.distrust(name);
      throw error;
    } finally {
      release();
      this.#gate.leave();
      this.#remote.start();
    }
  }

  /** False where others were faster: then the copies are to be loaded again. */
  async #keepAll(marked: readonly { copy: LocalCopy; mark: SandboxMark }[]): Promise<boolean> {
    for (const { copy, mark } of marked) {
      const { name } = copy.sandbox;
      if (this.#runtime.sandboxes.find(name) !== copy.sandbox) {
        await this.#engine.forget(name);
        continue;
      }
      const change = captureChange(copy.sandbox, mark, this.#copies.author);
      if (isNothing(change)) continue;
      const lines = [renderChange(change)];
      const appended = await this.#append(copy, lines);
      if (appended.kind === 'appended') this.#copies.commit(copy, appended.version, lines);
      else {
        for (const one of marked) this.#copies.distrust(one.copy.sandbox.name);
        if (!startsWith(appended, lines)) return false;
      }
    }
    return true;
  }

  /** Answers the requests of one sandbox in their order, and keeps together what they change. */
  async #commit(name: string, jobs: readonly Job[]): Promise<void> {
    try {
      const copy = await this.#copies.load(name);
      const done = await this.#keep(copy, jobs);
      this.#failures.delete(name);
      const { onEntry } = this.#runtime.pipeline;
      for (const { entry } of done) {
        if (entry === undefined) continue;
        copy.sandbox.journal.tell(entry);
        onEntry?.(entry);
      }
      for (const { job, response } of done) job.resolve(response);
    } catch (error) {
      this.#copies.distrust(name);
      this.#tellFailure(name, explain(error));
      const message = `The state of the mock cannot be stored: ${explain(error)}`;
      for (const { resolve } of jobs) resolve(this.#refuse(refuse('internal_fault', message)));
    }
  }

  async #keep(copy: LocalCopy, jobs: readonly Job[]): Promise<readonly Done[]> {
    for (;;) {
      const done = jobs.map((job) => this.#run(copy.sandbox, job));
      const lines = done.flatMap(({ line }) => (line === undefined ? [] : [line]));
      if (lines.length === 0) return done;
      const appended = await this.#append(copy, lines);
      if (appended.kind === 'appended') {
        this.#copies.commit(copy, appended.version, lines);
        return done;
      }
      for (const { mark } of done.toReversed()) undoRequest(copy.sandbox, mark);
      const isThere = startsWith(appended, lines);
      this.#copies.follow(copy, appended.missed, isThere ? lines.length : 0);
      if (isThere) return done;
    }
  }

  #run(sandbox: Sandbox, job: Job): Done {
    const mark = markSandbox(sandbox);
    let entry: JournalEntry | undefined;
    const { pipeline } = this.#runtime;
    const onEntry = (told: JournalEntry): void => {
      entry = told;
    };
    const response = this.#answer({ ...pipeline, onEntry }, job.request);
    const change = captureChange(sandbox, mark, this.#copies.author);
    const line = isNothing(change) ? undefined : renderChange(change);
    return { job, mark, response, entry, line };
  }

  /** Rejects where the changes were not appended, and no others. */
  async #append({ sandbox: { name }, version }: LocalCopy, lines: readonly string[]) {
    try {
      return await this.#engine.append(name, version, lines);
    } catch (error) {
      // They may have been appended all the same, or others: then the log tells.
      const missed = await this.#engine.read(name, version).catch(() => undefined);
      if (missed === undefined || missed.version === version) throw error;
      return { kind: 'conflict', missed } as const;
    }
  }

  /** Once for all sandboxes with the same fault, until one of them is well again. */
  #tellFailure(name: string, message: string): void {
    const isKnown = [...this.#failures.values()].includes(message);
    this.#failures.set(name, message);
    if (!isKnown) this.#notify(message);
  }
}

/** What an act gives or throws, when it is asked for. */
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

/** The changes that others seem to have made are these: an engine was asked twice, or too late. */
function startsWith(
  { missed }: Extract<Appended, { readonly kind: 'conflict' }>,
  lines: readonly string[],
): boolean {
  return lines.every((line, index) => missed.changes[index] === line) && missed.kind === 'changes';
}
