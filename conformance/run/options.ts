import { hash } from 'node:crypto';
import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, type JsonValue, renderJson } from '../../contract/json/value.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { RatePlan } from '../../contract/openapi/rate-limit.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { counterexample } from '../counterexample/counterexample.ts';
import { findPlan } from '../judge/trace/trace.ts';
import { waiver } from '../judge/waiver.ts';
import { requiredShare } from '../outcome/tested.ts';
import { shard } from '../shard/shard.ts';
import type { Clock } from '../transport/clock.ts';
import { credentialUse } from '../transport/exchange.ts';
import type { Sender } from '../transport/sender.ts';
import { nearMisses } from '../transport/credential.ts';
import { parseBaseUrl, type Target } from '../transport/target.ts';
import type { Watcher } from './watcher.ts';
import { mostWait } from '../outcome/time-limit.ts';

const { flag, list, map, milliseconds, object, optional, orUndefined, refine, text, whole } = codec;

/** At most what a verifier can plan in a moment. */
const count = whole(0, 1_000_000);

const duration = whole(0);

/** What decides a run besides the contract, the target and its responses. */
const settings = {
  /** Default 1. */
  seed: whole(Number.MIN_SAFE_INTEGER),
  /**
   * Most requests that may be sent, without those of `exhaust` and `fuzz`, and up to six to settle what
   * Remaining does where it goes up or does not move, and six to settle which request added an item.
   * Default: the plan's limit
   * for the shortest window, at most 240; without a plan 60, or two for each operation.
   */
  requests: count,
  /** Sends no request that may add or change items. Default false. */
  readOnly: flag,
  /** Ends with a drive to the rate limit, whose requests come on top. Default false. */
  exhaust: flag,
  /** Requests for generated values and model-based sequences, on top of `requests`. Default 0. */
  fuzz: count,
  /** Sends only the part of `fuzz` that falls to this shard. Left out: all of it. */
  shard: optional(shard),
  /** Requests for smaller counterexamples, on top where none are left. Default: a tenth, at least 5. */
  shrink: count,
  /** Judges only these: ids, beginnings of ids, families or operations. Default: all. */
  only: list(text),
  /** Leaves these out. Default: none. */
  skip: list(text),
  /** Values of members that refer to records which exist, by member: `categoryId`. */
  references: map(codec.json),
  /** Identifiers of items that exist, by path parameter or by collection: `petId`, `pets`. */
  ids: optional(map(text)),
  /** The target holds nothing of value: items of others may be changed and removed. Default false. */
  disposable: optional(flag),
  /** Nobody else uses the target: only this run adds items. Default false. */
  exclusive: optional(flag),
  /** Percent of the planned requests that have to be tested. Default 90. */
  requireTested: optional(whole(requiredShare, 100)),
  /** Bytes of a body that is judged. Default: that of the limits. */
  maxResponseBytes: optional(whole(1)),
  /** Milliseconds until a request without a response counts as hung. Default 10,000. */
  timeout: duration,
  /**
   * Milliseconds after which nothing more is sent. Default: what the plan takes with its waits, half
   * a second for each request, and a minute and a half.
   */
  timeLimit: optional(whole(1)),
  /** Longest wait for the rate limit, milliseconds. Default 90,000. */
  longestWait: duration,
  /** Default true. */
  verifyTls: flag,
  /** Name of the plan that the key has; the limit is then compared with it. */
  plan: orUndefined(text),
  /** Failures that are known and agreed. Default: none. */
  waivers: list(waiver),
  /** Counterexamples to look for again, before anything else. Default: none. */
  saved: list(counterexample, 1000),
};

const settingsCodec = object(settings);

type Settings = TypeOf<typeof settingsCodec>;

/** The names of `RunOptions`. */
export const runOptionNames: Readonly<Record<string, true>> = Object.fromEntries(
  [...Object.keys(settings), 'signal', 'clock', 'sender', 'watcher'].map((name) => [name, true]),
);

/** How a run is to go. Everything has a default. */
export type RunOptions = {
  readonly [Name in keyof Settings]?: Settings[Name] | undefined;
} & {
  /** Ends the run when it is aborted: no further request is sent, and nothing is judged. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly sender?: Sender | undefined;
  readonly watcher?: Watcher | undefined;
};

const runRecord = object({
  baseUrl: refine(
    text,
    isPlainUrl,
    'a base address as the suite writes it, such as http://127.0.0.1:4010/v1',
  ),
  ...settings,
  startedAt: milliseconds,
  endedAt: milliseconds,
  /** Milliseconds by which the target's clock was moved instead of waiting; left out for a real one. */
  clockMoved: optional(duration),
  /** The wrong keys that could be made from the key; undefined where there was no key. */
  nearMisses: orUndefined(
    refine(
      list(credentialUse),
      (uses) => /^((cut,)?longer(,other-case)?|nameless,marked,other-case)$/.test(uses.join()),
      'longer, with or without cut before it and other-case after it; or nameless, marked, other-case',
    ),
  ),
});

/**
 * Everything that decides a run besides the contract and the responses, defaults settled: with
 * the log, the suite can be run again. Never holds the key.
 */
export type RunRecord = TypeOf<typeof runRecord>;

/** What is settled before a run starts. */
export type RunSettings = Omit<RunRecord, 'startedAt' | 'endedAt' | 'clockMoved'>;

/** A record as JSON; reads back equal. */
export function renderRunRecord(record: RunRecord): JsonObject {
  return runRecord.render(record);
}

/** SHA-256 of what decides a run and is the same in all of its shards: no address, time, its limit
 * or key. */
export function digestSettings(record: RunRecord): string {
  const {
    baseUrl: _baseUrl,
    startedAt: _startedAt,
    endedAt: _endedAt,
    clockMoved: _clockMoved,
    nearMisses: _nearMisses,
    shard: _shard,
    seed: _seed,
    fuzz: _fuzz,
    plan: _plan,
    timeLimit: _timeLimit,
    ...rest
  } = renderRunRecord(record);
  return hash('sha256', renderJson(rest));
}

/**
 * Reads a record from JSON, strictly.
 * @throws {PetstoreError} with code `shape`, for the first thing that is wrong
 */
export function readRunRecord(value: JsonValue): RunRecord {
  return runRecord.read(value, '');
}

/**
 * Settles all that decides a run: what the options leave out gets its default.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 */
export function settleRun(
  contract: Contract,
  { baseUrl, apiKey }: Target,
  options: RunOptions,
): RunSettings {
  const { requests = defaultBudget(contract, options.plan), fuzz = 0, shard: part } = options;
  const share = Math.ceil(fuzz / (part?.count ?? 1));
  return {
    baseUrl: parseBaseUrl(baseUrl),
    seed: options.seed ?? 1,
    requests,
    readOnly: options.readOnly ?? false,
    exhaust: options.exhaust ?? false,
    fuzz,
    ...(part === undefined ? {} : { shard: part }),
    shrink: options.shrink ?? Math.max(5, Math.ceil((requests + share) / 10)),
    only: options.only ?? [],
    skip: options.skip ?? [],
    references: options.references ?? {},
    ...(options.ids === undefined ? {} : { ids: options.ids }),
    ...(options.disposable === undefined ? {} : { disposable: options.disposable }),
    ...(options.exclusive === undefined ? {} : { exclusive: options.exclusive }),
    ...(options.requireTested === undefined ? {} : { requireTested: options.requireTested }),
    ...(options.maxResponseBytes === undefined
      ? {}
      : { maxResponseBytes: options.maxResponseBytes }),
    timeout: options.timeout ?? 10_000,
    ...(options.timeLimit === undefined ? {} : { timeLimit: options.timeLimit }),
    longestWait: options.longestWait ?? mostWait,
    verifyTls: options.verifyTls ?? true,
    plan: options.plan,
    waivers: options.waivers ?? [],
    saved: options.saved ?? [],
    nearMisses: apiKey === undefined ? undefined : nearMisses(apiKey),
  };
}

function defaultBudget(contract: Contract, planName: string | undefined): number {
  const plan = findPlan(contract, planName);
  if (planName !== undefined && plan === undefined) {
    const known = contract.rateLimit?.plans.map(({ name }) => name) ?? [];
    throw new PetstoreError(
      'target',
      `"${planName}" is not a plan of the contract: ${known.join(', ') || 'it has none'}.${suggestName(planName, known)}`,
    );
  }
  return usualBudget(contract, plan);
}

/** Requests of a run where `--requests` is not given. */
export function usualBudget(contract: Contract, plan: RatePlan | undefined): number {
  if (plan === undefined) return Math.max(60, 2 * contract.operations.length);
  const shortest = contract.rateLimit?.windows[0]?.name ?? '';
  return Math.min(240, plan.limits?.get(shortest) ?? 240);
}

function isPlainUrl(address: string): boolean {
  try {
    return parseBaseUrl(address) === address;
  } catch {
    return false;
  }
}
