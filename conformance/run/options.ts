import { hash } from 'node:crypto';
import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import { renderJson } from '../../contract/json/value.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { defined } from '../../contract/list/defined.ts';
import type { RatePlan } from '../../contract/openapi/rate-limit.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { findPlan } from '../judge/trace/trace.ts';
import type { Clock } from '../transport/carrier.ts';
import { credentialUse } from '../transport/exchange.ts';
import type { Sender } from '../transport/sender.ts';
import { nearMisses } from '../transport/credential.ts';
import { parseBaseUrl, type Target } from '../transport/target.ts';
import { columnOf, runSettings, type Setting, type SettingFlag } from './settings.ts';
import type { Watcher } from './watcher.ts';

const { list, milliseconds, object, optional, orUndefined, refine, text, whole } = codec;

const records = columnOf('record');

const settingsCodec = object(records);

type Settings = TypeOf<typeof settingsCodec>;

/** The names of `RunOptions`. */
export const runOptionNames: Readonly<Record<string, true>> = Object.fromEntries(
  [...Object.keys(runSettings), 'signal', 'clock', 'sender', 'watcher'].map((name) => [name, true]),
);

/** How a run is to go. Everything has a default. */
export type RunOptions = {
  readonly [Name in keyof Settings]?: Settings[Name] | undefined;
} & RunHooks;

/** What a run works with; it decides nothing. */
interface RunHooks {
  /** Ends the run when it is aborted: no further request is sent, and nothing is judged. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly sender?: Sender | undefined;
  readonly watcher?: Watcher | undefined;
}

/** The settings that values of flags give; of those that name a file, nothing. */
export function settingsOfFlags(
  contract: Contract,
  values: Readonly<Record<string, unknown>>,
): RunOptions;
export function settingsOfFlags(
  contract: Contract,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const flags: readonly (readonly [string, SettingFlag])[] = Object.entries(columnOf('flag'));
  return Object.fromEntries(
    flags.flatMap(([setting, flag]) => {
      const value = values[flag.name ?? setting];
      if (value === undefined || flag.isFile) return [];
      return [[setting, 'toSetting' in flag ? flag.toSetting?.(value, contract) : value]];
    }),
  );
}

export const runRecord = object({
  baseUrl: refine(
    text,
    isPlainUrl,
    'a base address as the suite writes it, such as http://127.0.0.1:4010/v1',
  ),
  ...records,
  startedAt: milliseconds,
  endedAt: milliseconds,
  /** Milliseconds by which the target's clock was moved instead of waiting; left out for a real one. */
  clockMoved: optional(whole(0)),
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

/** SHA-256 of the settings that are the same in all shards of a run. */
export function digestSettings(record: RunRecord): string {
  const rows: readonly (readonly [string, Setting])[] = Object.entries(runSettings);
  const rendered = runRecord.render(record);
  const same = rows.flatMap(([name, { mayDiffer }]) =>
    mayDiffer || rendered[name] === undefined ? [] : [[name, rendered[name]] as const],
  );
  return hash('sha256', renderJson(Object.fromEntries(same)));
}

/**
 * Settles all that decides a run: what the options leave out gets its default.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 */
export function settleRun(
  contract: Contract,
  { baseUrl, apiKey }: Target,
  { signal: _signal, clock: _clock, sender: _sender, watcher: _watcher, ...options }: RunOptions,
): RunSettings {
  const { requests = defaultBudget(contract, options.plan), fuzz = 0, shard: part } = options;
  const share = Math.ceil(fuzz / (part?.count ?? 1));
  return {
    ...columnOf('usual'),
    shrink: Math.max(5, Math.ceil((requests + share) / 10)),
    requests,
    ...defined(options),
    baseUrl: parseBaseUrl(baseUrl),
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
  if (plan === undefined) return Math.max(60, 3 * contract.operations.length);
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
