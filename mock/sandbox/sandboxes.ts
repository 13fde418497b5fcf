import type { Clock } from './clock.ts';
import { Journal, JournalMemory } from './journal.ts';
import { Memory } from './memory.ts';
import { Sandbox } from './sandbox.ts';
import { mainSandbox } from './sandbox-name.ts';
import type { Service } from './service.ts';

/** Sandboxes besides `main`. */
export const mostSandboxes = 1000;

/** Requests in the journal of a sandbox. */
export const mostEntries = 500;

export interface SandboxOptions {
  /** Sandboxes kept besides `main`; one that is little used makes room. Default: 1000. */
  readonly sandboxes?: number;
  /** Exchanges that the journal of each sandbox keeps. Default: 500. */
  readonly journal?: number;
  /** Bytes that all sandboxes keep together. Default: 512 MiB. */
  readonly maxMemory?: number | undefined;
}

/** The sandboxes of a mock: `main`, and others that exist as soon as they are named. */
export class Sandboxes {
  readonly #clock: Clock;
  /** So many are kept besides `main`. */
  readonly most: number;
  readonly #journal: number;
  readonly #journals = new JournalMemory();
  /** Least recently used first. */
  readonly #named = new Map<string, Sandbox>();
  #last: Sandbox;
  #service: Service;
  readonly main: Sandbox;
  /** What all sandboxes keep. */
  readonly memory: Memory;
  /** Gives a sandbox the stubs that each starts with; called with each that is made from then on. */
  initialize: ((sandbox: Sandbox) => void) | undefined;
  /** Digest of the stubs that are put into every sandbox; `` where there are none. */
  stubsDigest = '';

  constructor(
    clock: Clock,
    service: Service,
    { sandboxes = mostSandboxes, journal = mostEntries, maxMemory }: SandboxOptions,
  ) {
    this.memory = new Memory(maxMemory);
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

  /** A sandbox if there is one; it is not used by this. */
  find(name: string): Sandbox | undefined {
    return name === mainSandbox ? this.main : this.#named.get(name);
  }

  /** A sandbox as it is, or as it would be if there were one; it is not kept by this. */
  peek(name: string): Sandbox {
    return this.find(name) ?? this.#create(name);
  }

  /** The sandbox with a name, a new one if need be. */
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

  /** Forgets a sandbox. Named again, it is a new one. */
  forget(name: string): boolean {
    if (this.#last.name === name) this.#last = this.main;
    return this.#drop(name);
  }

  /** New sandboxes are served so from now on. */
  adopt(service: Service): void {
    this.#service = service;
  }

  #create(name: string): Sandbox {
    const journal = new Journal(this.#journal, this.#journals);
    const sandbox = new Sandbox(name, this.#clock, this.#service, journal);
    this.initialize?.(sandbox);
    return sandbox;
  }

  /**
   * Makes room: the least recently used of those without anything kept go first, then of those that
   * only requests have changed, then any, so that made-up keys cost little.
   */
  forgetIdle(): void {
    for (const mayGo of [isEmpty, isNotSetUp, isAny])
      for (const [name, sandbox] of this.#named) {
        if (this.#named.size <= this.most) return;
        const isInUse = sandbox === this.#last || sandbox.isInUse;
        if (!isInUse && mayGo(sandbox)) this.#drop(name);
      }
  }

  #drop(name: string): boolean {
    const sandbox = this.#named.get(name);
    if (sandbox !== undefined) {
      this.memory.forget(sandbox);
      sandbox.journal.leave();
    }
    return this.#named.delete(name);
  }
}

const isEmpty = (sandbox: Sandbox): boolean => sandbox.bytes === 0 && !sandbox.isSetUp;
const isNotSetUp = (sandbox: Sandbox): boolean => !sandbox.isSetUp;
const isAny = (): boolean => true;
