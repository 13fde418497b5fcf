import type { Clock } from './clock.ts';
import { Journal, freeJournals } from './journal.ts';
import { Memory } from './memory.ts';
import { Sandbox } from './sandbox.ts';
import { mainSandbox } from '../control/declaration/sandbox-name.ts';
import type { Service } from './service.ts';

/** Sandboxes besides `main`. */
export const mostSandboxes = 1000;

/** Requests in the journal of a sandbox. */
export const mostEntries = 500;

export interface SandboxOptions {
  /** Sandboxes kept besides `main`; for more, a little-used one is removed. Default: 1000. */
  readonly sandboxes?: number;
  /** Exchanges that the journal of each sandbox keeps. Default: 500. */
  readonly journal?: number;
  /** Bytes that all sandboxes keep together. Default: 512 MiB. */
  readonly maxMemory?: number | undefined;
}

/** The sandboxes of a mock: `main`, and others that are created when they are first named. */
export class Sandboxes {
  readonly #clock: Clock;
  /** Maximum number besides `main`. */
  readonly most: number;
  readonly #journal: number;
  /** Least recently used first. */
  readonly #named = new Map<string, Sandbox>();
  #last: Sandbox;
  #service: Service;
  readonly main: Sandbox;
  /** Memory of all sandboxes. */
  readonly memory: Memory;
  /** Adds the stubs of the file; called for each new sandbox. */
  initialize: ((sandbox: Sandbox) => void) | undefined;
  /** Digest of the stubs of the file; `` for none. */
  stubsDigest = '';

  constructor(
    clock: Clock,
    service: Service,
    { sandboxes = mostSandboxes, journal = mostEntries, maxMemory }: SandboxOptions,
  ) {
    this.memory = new Memory(() => this.all, maxMemory);
    this.#clock = clock;
    this.most = Math.max(1, sandboxes);
    this.#journal = Math.max(1, journal);
    this.#service = service;
    this.main = this.#create(mainSandbox);
    this.#last = this.main;
  }

  /** All of them, `main` first, then the least recently used. */
  get all(): readonly Sandbox[] {
    return [this.main, ...this.#named.values()];
  }

  /** The sandbox with a name, if there is one. It does not count as used. */
  find(name: string): Sandbox | undefined {
    return name === mainSandbox ? this.main : this.#named.get(name);
  }

  /** A sandbox as it is, or as it would be created. It is not kept, and does not count as used. */
  peek(name: string): Sandbox {
    return this.find(name) ?? this.#create(name);
  }

  /** The sandbox with a name, which is created if needed. */
  open(name: string): Sandbox {
    if (this.#last.name === name) return this.#last;
    const sandbox = this.find(name) ?? this.#create(name);
    this.#last = sandbox;
    if (sandbox === this.main) return sandbox;
    this.#named.delete(name);
    this.#named.set(name, sandbox);
    this.forgetIdle();
    return sandbox;
  }

  /** Removes a sandbox; false if there was none. */
  forget(name: string): boolean {
    if (this.#last.name === name) this.#last = this.main;
    return this.#named.delete(name);
  }

  /** New sandboxes use this service from now on. */
  adopt(service: Service): void {
    this.#service = service;
  }

  #create(name: string): Sandbox {
    const journal = new Journal(this.#journal, () =>
      freeJournals(this.all.map((one) => one.journal)),
    );
    const sandbox = new Sandbox(name, this.#clock, this.#service, journal);
    this.initialize?.(sandbox);
    return sandbox;
  }

  /**
   * Removes sandboxes beyond the maximum, so that made-up keys cost little: first empty ones, then those
   * that only requests have changed, then any; of each kind the least recently used first.
   */
  forgetIdle(): void {
    for (const mayGo of [isEmpty, isNotSetUp, isAny])
      for (const [name, sandbox] of this.#named) {
        if (this.#named.size <= this.most) return;
        const isInUse = sandbox === this.#last || sandbox.isInUse;
        if (!isInUse && mayGo(sandbox)) this.#named.delete(name);
      }
  }
}

const isEmpty = (sandbox: Sandbox): boolean => sandbox.bytes === 0 && !sandbox.isSetUp;
const isNotSetUp = (sandbox: Sandbox): boolean => !sandbox.isSetUp;
const isAny = (): boolean => true;
