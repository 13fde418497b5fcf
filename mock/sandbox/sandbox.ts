import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { type JsonObject, renderJson } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { MockResponse } from '../http/message.ts';
import { type MisplacedItem, Store, type StoredState } from '../items/store/store.ts';
import type { Call, Outcome } from '../operation/response/outcome.ts';
import type { Refusal } from '../operation/response/refusal.ts';
import { type Bucket, bucket } from '../rate-limit/limiter.ts';
import type { Meter } from '../rate-limit/meter.ts';
import type { LimitOptions } from '../rate-limit/plans.ts';
import { type Clock, type ClockState, SandboxClock } from './clock.ts';
import type { FaultRecord, StubRecord } from './journal-entry.ts';
import type { Journal } from './journal.ts';
import type { ChoiceIds, Service } from './service.ts';

/** Addresses whose requests without a valid key are counted apart. */
export const mostAddresses = 1000;

/** Who sends requests to a sandbox: a key, or everyone without a valid one. */
export interface Caller {
  /** Name of the plan; undefined for callers without a valid key and in documents without plans. */
  readonly plan: string | undefined;
  readonly sandbox: Sandbox;
  readonly meter: Meter;
}

/** A sandbox without its journal and its snapshots. */
export interface Snapshot {
  /** Digest of the document that the items are valid for; for another one they are converted. */
  readonly document: string;
  readonly state: StoredState;
  readonly clock: ClockState;
  readonly choices: ChoiceIds;
  readonly limits: LimitOptions;
  readonly buckets: ReadonlyMap<string, Bucket>;
  /** Faults and stubs as JSON text; `` for none. */
  readonly rules: string;
}

/** Prefix of an address that takes the place of a key; no key has it. */
const addressMark = '\n';

/** The counts of one key. */
export const keyCount = codec.object({
  key: codec.text,
  /** Undefined for a key that was not seen yet. */
  seen: codec.orUndefined(codec.object({ plan: codec.orUndefined(codec.text) })),
  /** Undefined where nothing is counted. */
  bucket: codec.orUndefined(bucket),
});

export type KeyCount = TypeOf<typeof keyCount>;

/** Items, time, counts, choices, faults, stubs and journal; fixture keys share the one named `main`. */
export class Sandbox {
  readonly name: string;
  readonly clock: SandboxClock;
  readonly store = new Store();
  readonly journal: Journal;
  /** Choices of its own, beyond those of the mock. */
  choices: ChoiceIds = {};
  /** Limits of its own, beyond those of the mock. */
  limits: LimitOptions = {};
  /** Undefined while there are none. */
  faults: RulePlan<FaultEffect> | undefined;
  /** Undefined while there are none. */
  stubs: RulePlan<StubEffect> | undefined;
  /** By name. */
  readonly snapshots = new Map<string, Snapshot>();
  /** Something is under way in it: it is not forgotten for being idle. */
  isInUse = false;
  /** Lists so far: seeds the order of a list where the choices give it none. */
  listCount = 0;
  /** How requests are served here. */
  service: Service;
  /** Who was seen, and the plan of the key: all keys may be one caller. */
  readonly #callers = new Map<string, Pick<Caller, 'plan'> & { readonly caller: Caller }>();
  /** Counts of keys that were not seen yet. */
  #counts = new Map<string, Bucket>();
  /** Names of callers without a key, by address; the least recent first. */
  readonly #addresses = new Set<string>();

  /** What it keeps costs so much memory: items, snapshots and stubs; the journal is not in it. */
  get bytes(): number {
    let bytes = this.store.bytes + (this.stubs?.bytes ?? 0);
    if (this.snapshots.size === 0) return bytes;
    for (const { state, rules } of this.snapshots.values()) {
      bytes += 2 * rules.length;
      for (const inventory of state.values()) bytes += inventory.bytes;
    }
    return bytes;
  }

  /** Nothing that is read for the first time is kept. */
  get isFull(): boolean {
    return this.store.isFull;
  }

  set isFull(isFull) {
    this.store.isFull = isFull;
  }

  /** Somebody has set it up by control: choices, limits, faults, stubs, snapshots, its clock. */
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

  /** Beginning of the digest of the document that is served here. */
  get document(): string {
    return this.service.contract.digest.slice(0, 16);
  }

  /** Valid keys that were seen here. */
  get keys(): readonly string[] {
    return [...this.#callers.keys()].filter((key) => key !== '' && !key.startsWith(addressMark));
  }

  /** The caller with a key; all keys are one caller where the choices say so. */
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

  /** Callers without a valid key: one for each address where they are counted so. */
  anonymousAt(address: string | undefined): Caller {
    if (address === undefined || !this.service.countsByAddress) return this.callerOf('', undefined);
    const key = addressMark + address;
    this.#addresses.delete(key);
    this.#addresses.add(key);
    const [oldest] = this.#addresses.size > mostAddresses ? this.#addresses : [];
    if (oldest !== undefined) {
      this.#addresses.delete(oldest);
      this.#callers.delete(oldest);
      this.#counts.delete(oldest);
    }
    return this.callerOf(key, undefined);
  }

  /** Serves as another service does. Items that do not fit it are set aside, and given. */
  adopt(service: Service): readonly MisplacedItem[] {
    const setAside =
      service === this.service
        ? []
        : this.store.convert((path) => service.collections.findPlain(path));
    this.service = service;
    this.restoreCounts(this.buckets);
    return setAside;
  }

  /** The sandbox as it is; later changes do not reach it. */
  get snapshot(): Snapshot {
    const { store, service, document, clock, choices, limits, buckets } = this;
    const state = store.keep(service.collections.plain);
    const { faults, stubs } = this;
    const all: JsonObject = { faults: faults?.state, stubs: stubs?.state };
    const isPlain = all['faults'] === undefined && all['stubs'] === undefined;
    const rules = isPlain ? '' : renderJson(all);
    return { document, state, clock: clock.state, choices, limits, buckets, rules };
  }

  /** Counts by key, as values that can be put back. */
  get buckets(): ReadonlyMap<string, Bucket> {
    const buckets = new Map(this.#counts);
    for (const [key, { caller }] of this.#callers)
      if (caller.meter.bucket !== undefined) buckets.set(key, caller.meter.bucket);
    return buckets;
  }

  /** The counts of all keys, those that were seen first. */
  get counts(): readonly KeyCount[] {
    return [
      ...[...this.#callers].map(([key, { caller, plan }]) => {
        return { key, seen: { plan }, bucket: caller.meter.bucket };
      }),
      ...[...this.#counts].map(([key, counted]) => ({ key, seen: undefined, bucket: counted })),
    ];
  }

  /** Forgets all callers and their counts. */
  clearCounts(): void {
    this.#callers.clear();
    this.#counts.clear();
  }

  /** Sets the counts of a key that was seen, or will be. */
  putCount({ key, seen, bucket: counted }: KeyCount): void {
    if (seen !== undefined) this.callerOf(key, seen.plan).meter.bucket = counted;
    else if (counted !== undefined) this.#counts.set(key, counted);
  }

  /** Replaces the counts, also for keys seen only later; a key left out has used nothing. */
  restoreCounts(buckets: ReadonlyMap<string, Bucket>): void {
    this.#counts = new Map(buckets);
    const seen = [...this.#callers];
    this.#callers.clear();
    for (const [key, { plan }] of seen) this.callerOf(key, plan);
  }
}

/** The faults or the stubs of a sandbox, as the pipeline asks for them. */
export interface RulePlan<Effect> {
  /** What they do to a request; each call is one request. Undefined where none is near. */
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
  /** In place of the operation's outcome; undefined where the operation is to do its work. */
  readonly outcome: Replacement | undefined;
  /** The response with headers, body and delivery as the rule has them. */
  alter(response: MockResponse): MockResponse;
  readonly record: Record;
}

export type FaultEffect = Effect<Refusal, FaultRecord>;
export type StubEffect = Effect<Outcome, StubRecord>;
