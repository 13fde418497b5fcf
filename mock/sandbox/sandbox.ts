import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { type JsonObject, renderJson } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { MockResponse } from '../http/message.ts';
import { type MisplacedItem, Store, type StoredState } from '../items/store/store.ts';
import type { Call, Outcome } from '../operation/response/outcome.ts';
import type { Refusal } from '../operation/response/refusal.ts';
import { type Bucket, type Meter, bucket } from '../rate-limit/limiter.ts';
import type { LimitOptions } from '../rate-limit/plans.ts';
import { type Clock, type ClockState, SandboxClock } from './clock.ts';
import type { FaultRecord, StubRecord } from './journal-entry.ts';
import { mainSandbox } from '../control/declaration/sandbox-name.ts';
import { Journal, JournalMemory } from './journal.ts';
import { Memory } from './memory.ts';
import type { ChoiceIds, Service } from './service.ts';

/** Addresses whose requests without a valid key are counted separately, at most. */
export const maxAddresses = 1000;

/** A sender of requests to a sandbox: a key, or everyone without a valid one. */
export interface Caller {
  /** Name of the plan; undefined for callers without a valid key and in documents without plans. */
  readonly plan: string | undefined;
  readonly sandbox: Sandbox;
  readonly meter: Meter;
}

/** The state of a sandbox without its journal and its snapshots. */
export interface Snapshot {
  /** Digest of the document that the items are valid for. They are converted for any other. */
  readonly document: string;
  readonly state: StoredState;
  readonly clock: ClockState;
  readonly choices: ChoiceIds;
  readonly limits: LimitOptions;
  readonly buckets: readonly KeyBucket[];
  /** Faults and stubs as JSON text; `` for none. */
  readonly rules: string;
}

/** Prefix of an address in place of a key; no key starts with it. */
const addressMark = '\n';

/** The counts of one key. */
export const keyCount = codec.object({
  key: codec.text,
  /** Undefined for a key that has not been used yet. */
  seen: codec.orUndefined(codec.object({ plan: codec.orUndefined(codec.text) })),
  /** Undefined if nothing is counted. */
  bucket: codec.orUndefined(bucket),
});

export type KeyCount = TypeOf<typeof keyCount>;

/** The counts of one key, of which something is counted. */
export const keyBucket = codec.object({ key: codec.text, bucket });

export type KeyBucket = TypeOf<typeof keyBucket>;

/** Items, time, counts, choices, faults, stubs and journal; fixture keys share the one named `main`. */
export class Sandbox {
  readonly name: string;
  readonly clock: SandboxClock;
  readonly store = new Store();
  readonly journal: Journal;
  /** Its own choices, which override the mock's. */
  choices: ChoiceIds = {};
  /** Its own limits, which override the mock's. */
  limits: LimitOptions = {};
  /** Undefined if there are none. */
  faults: RulePlan<FaultEffect> | undefined;
  /** Undefined if there are none. */
  stubs: RulePlan<StubEffect> | undefined;
  readonly snapshots = new Map<string, Snapshot>();
  /** It is in use, so it must not be evicted as idle. */
  isInUse = false;
  /** Number of list requests, which seeds random list orders. */
  listCount = 0;
  /** The compiled document that serves its requests. */
  service: Service;
  /**
   * Known callers with the plan of their key. Depending on the choices, all keys may share one
   * caller.
   */
  readonly #callers = new Map<string, Pick<Caller, 'plan'> & { readonly caller: Caller }>();
  /** Counts of keys that have not been used yet. */
  #counts = new Map<string, Bucket>();
  /** Names of callers without a key, by address, least recently used first. */
  readonly #addresses = new Set<string>();

  /** Estimated memory of items, snapshots and stubs, without the journal. */
  get bytes(): number {
    let bytes = this.store.bytes + (this.stubs?.bytes ?? 0);
    if (this.snapshots.size === 0) return bytes;
    for (const { state, rules } of this.snapshots.values()) {
      bytes += 2 * rules.length;
      for (const inventory of state.values()) bytes += inventory.bytes;
    }
    return bytes;
  }

  /**
   * Whether the control interface has changed it: choices, limits, faults, stubs, snapshots or
   * clock.
   */
  get isSetUp(): boolean {
    return (
      this.stubs?.isControlled === true ||
      this.faults?.isControlled === true ||
      this.snapshots.size > 0 ||
      this.clock.isMoved ||
      Object.keys(this.choices).length + Object.keys(this.limits).length > 0
    );
  }

  constructor(name: string, clock: Clock, service: Service, journal: Journal) {
    this.name = name;
    this.clock = new SandboxClock(clock);
    this.journal = journal;
    this.service = service;
  }

  /** Prefix of the digest of the served document. */
  get document(): string {
    return this.service.contract.digest.slice(0, 16);
  }

  /** Valid keys that were used here. */
  get keys(): readonly string[] {
    return [...this.#callers.keys()].filter((key) => key !== '' && !key.startsWith(addressMark));
  }

  /** The caller with a key. Depending on the choices, all keys share one caller. */
  callerOf(key: string, plan: string | undefined): Caller {
    const known = this.#callers.get(key);
    if (known !== undefined) return known.caller;
    const first =
      this.service.sharesCounts && plan !== undefined
        ? this.#callers.values().find(({ caller }) => caller.plan !== undefined)
        : undefined;
    const caller = first?.caller ?? {
      plan,
      sandbox: this,
      meter: this.service.openMeter(plan, this.limits),
    };
    const counted = this.#counts.get(key);
    if (counted !== undefined) caller.meter.bucket = counted;
    this.#counts.delete(key);
    this.#callers.set(key, { caller, plan });
    return caller;
  }

  /** The caller without a valid key, one per address if they are counted by address. */
  anonymousAt(address: string | undefined): Caller {
    if (address === undefined || !this.service.countsByAddress) return this.callerOf('', undefined);
    const key = addressMark + address;
    this.#addresses.delete(key);
    this.#noteAddress(key);
    return this.callerOf(key, undefined);
  }

  /** Counts a key that is an address as one; the least recently used one makes room for it. */
  #noteAddress(key: string): void {
    if (!key.startsWith(addressMark)) return;
    this.#addresses.add(key);
    const [oldest] = this.#addresses.size > maxAddresses ? this.#addresses : [];
    if (oldest !== undefined) {
      this.#addresses.delete(oldest);
      this.#callers.delete(oldest);
      this.#counts.delete(oldest);
    }
  }

  /**
   * Switches to another compiled document. Items that do not match it are set aside and returned.
   */
  adopt(service: Service): readonly MisplacedItem[] {
    const setAside =
      service === this.service
        ? []
        : this.store.convert((path) => service.collections.findPlain(path));
    this.service = service;
    this.restoreCounts(this.buckets);
    return setAside;
  }

  /** The current state. Later changes do not affect it. */
  get snapshot(): Snapshot {
    const { store, service, document, clock, choices, limits, buckets } = this;
    const state = store.keep(service.collections.plain);
    const { faults, stubs } = this;
    const all: JsonObject = { faults: faults?.state, stubs: stubs?.state };
    const isPlain = all['faults'] === undefined && all['stubs'] === undefined;
    const rules = isPlain ? '' : renderJson(all);
    return { document, state, clock: clock.state, choices, limits, buckets, rules };
  }

  /** The counts of the keys of which something is counted. */
  get buckets(): readonly KeyBucket[] {
    return this.counts.flatMap(({ key, bucket: counted }) =>
      counted === undefined ? [] : [{ key, bucket: counted }],
    );
  }

  /** The counts of all keys, in order of first use. */
  get counts(): readonly KeyCount[] {
    return [
      ...[...this.#callers].map(([key, { caller, plan }]) => {
        return { key, seen: { plan }, bucket: caller.meter.bucket };
      }),
      ...[...this.#counts].map(([key, counted]) => ({ key, seen: undefined, bucket: counted })),
    ];
  }

  /** Replaces all callers and their counts. */
  replaceCounts(counts: readonly KeyCount[]): void {
    this.#callers.clear();
    this.#counts.clear();
    this.#addresses.clear();
    for (const { key, seen, bucket: counted } of counts) {
      this.#noteAddress(key);
      if (counted !== undefined) this.#counts.set(key, counted);
      if (seen !== undefined) this.callerOf(key, seen.plan);
    }
  }

  /**
   * Replaces the counts, also of keys that are used only later. Keys that are left out have used
   * nothing.
   */
  restoreCounts(buckets: readonly KeyBucket[]): void {
    this.#counts = new Map(buckets.map(({ key, bucket: counted }) => [key, counted]));
    for (const { key } of buckets) this.#noteAddress(key);
    const seen = [...this.#callers];
    this.#callers.clear();
    for (const [key, { plan }] of seen) this.callerOf(key, plan);
  }
}

/** The faults or the stubs of a sandbox, as the pipeline asks for them. */
export interface RulePlan<Effect> {
  /** What they do to a request; each call is one request. Undefined if none is near. */
  next(call: Call, operation: Operation | undefined): Effect | undefined;
  /** Some were added by control, not by a file. */
  readonly isControlled: boolean;
  /** Rules, uses and scenarios, from which the same rules can be made; undefined if there are none. */
  readonly state: JsonObject | undefined;
  /** What the rules cost in memory. */
  readonly bytes: number;
}

/** What a rule does to one request. */
interface Effect<Replacement, Record> {
  /** In place of the operation's outcome; undefined if the operation is to do its work. */
  readonly outcome: Replacement | undefined;
  /** The response with headers, body and delivery as the rule has them. */
  alter(response: MockResponse): MockResponse;
  readonly record: Record;
}

export type FaultEffect = Effect<Refusal, FaultRecord>;
export type StubEffect = Effect<Outcome, StubRecord>;

/** Sandboxes besides `main`. */
export const maxSandboxes = 1000;

/** Requests in the journal of a sandbox. */
export const maxEntries = 500;

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
  readonly #journalMemory = new JournalMemory(() => this.all.map(({ journal }) => journal));
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
    { sandboxes = maxSandboxes, journal = maxEntries, maxMemory }: SandboxOptions,
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
    const journal = new Journal(this.#journal, this.#journalMemory);
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
