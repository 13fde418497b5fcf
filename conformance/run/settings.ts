import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  type JsonObject,
  type JsonValue,
  parseJson,
  renderJson,
} from '../../contract/json/value.ts';
import { counterexample } from '../counterexample/counterexample.ts';
import { waiver } from '../judge/waiver.ts';
import { requiredShare } from '../outcome/inconclusive.ts';
import { maxWait } from '../outcome/time-limit.ts';
import { parseShard, shard } from '../shard/shard.ts';
import { hash } from 'node:crypto';
import { hasCode, PetstoreError } from '../../contract/error/petstore-error.ts';
import { defined } from '../../contract/list/defined.ts';
import type { RatePlan } from '../../contract/openapi/rate-limit.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { findPlan } from '../judge/trace/trace.ts';
import type { Clock, WaitReason } from '../transport/carrier.ts';
import { credentialUse, type Exchange } from '../transport/exchange.ts';
import type { Sender } from '../transport/sender.ts';
import { nearMisses } from '../transport/credential.ts';
import { parseBaseUrl, type Target } from '../transport/target.ts';
import type { Reason } from '../judge/reason/reason.ts';
import type { Probe } from '../probes/probe.ts';

const { list, map, milliseconds, object, optional, orUndefined, refine, text, whole } = codec;

/** A setting of a run. Everything about it is in its row, except its effect. */
export interface Setting {
  /** Its form in the record of a run. Optional settings are left out if not given. */
  readonly record: codec.Codec<unknown>;
  /** Default value. */
  readonly usual?: unknown;
  /** Shards of the same run may have different values. */
  readonly mayDiffer?: true;
  /** The option that sets it on the command line, in configuration files and in the environment. */
  readonly flag?: SettingFlag;
}

/** The flag's row in the table of flags, and how its value becomes the setting's value. */
export interface SettingFlag {
  /** Default: the name of the setting. */
  readonly name?: string;
  /** Default: the value unchanged. Not called if the flag is not given. */
  toSetting?(value: unknown, contract: Contract): unknown;
  /** The value is a file or folder, which the command reads. */
  readonly isFile?: true;
  readonly [member: string]: unknown;
}

/** Most requests, so that a verifier can plan them quickly. */
const maxRequests = 1_000_000;

const count = codec.whole(0, maxRequests);

const number = (least: number, most: number) =>
  ({ value: '<number>', bounds: [least, most] }) as const;

/** Seconds on the command line, milliseconds in the setting. */
const seconds = (least: number, most: number) =>
  ({ value: '<seconds>', bounds: [least, most], unit: 1000 }) as const;

/** Everything that determines a run, besides the contract, the target and its responses. */
export const runSettings = {
  requests: {
    /**
     * Excludes the requests of `exhaust` and `fuzz`, up to six to check a Remaining that rises or
     * does not move, and up to six to find out which request added an item.
     */
    record: count,
    flag: {
      ...number(1, maxRequests),
      help: 'Send at most this many requests. Default: 60, or 3 for each operation if that is more; with --plan, what the plan allows in its shortest window, at most 240.',
    },
  },
  seed: {
    record: codec.whole(Number.MIN_SAFE_INTEGER),
    usual: 1,
    mayDiffer: true,
    flag: {
      group: 'Requests',
      ...number(0, 2_147_483_647),
      default: '1',
      help: 'The same seed sends the same requests.',
    },
  },
  exhaust: {
    record: codec.flag,
    usual: false,
    flag: {
      help: 'Also send requests until the rate limit is reached, on top of --requests. Always on for the mock.',
    },
  },
  readOnly: {
    record: codec.flag,
    usual: false,
    flag: { help: 'Send no request that could add or change items.' },
  },
  /** Ids of requirements, prefixes of ids, families or operations. */
  only: {
    record: list(text),
    usual: [],
    flag: {
      group: 'Requests',
      value: '<name>',
      many: true,
      help: 'Test only this requirement, family or operation. Can be repeated.',
    },
  },
  skip: {
    record: list(text),
    usual: [],
    flag: {
      group: 'Requests',
      value: '<name>',
      many: true,
      help: 'Leave out this requirement, family or operation. Can be repeated.',
    },
  },
  /** Existing records that members refer to, by member: `categoryId`. */
  references: {
    record: map(codec.json),
    usual: {},
    flag: {
      name: 'categoryId',
      group: 'Target',
      value: '<id>',
      help: 'A category that exists. Default: one from the list of the target.',
      toSetting: readReferences,
    },
  },
  /** Ids of existing items, by path parameter or by collection: `petId`, `pets`. */
  ids: {
    record: optional(map(text)),
    flag: {
      name: 'id',
      group: 'Target',
      value: '<name>=<value>',
      many: true,
      help: 'An id that exists, named by path parameter or collection: --id petId=7. Can be repeated.',
      toSetting: (pairs: readonly (readonly [name: string, value: string])[]) =>
        pairs.length === 0 ? undefined : Object.fromEntries(pairs),
    },
  },
  disposable: {
    record: optional(codec.flag),
    flag: {
      group: 'Target',
      help: 'The target has no valuable data: items that the suite did not add can be changed and removed. Always on for the mock.',
      toSetting: leaveOutFalse,
    },
  },
  exclusive: {
    record: optional(codec.flag),
    flag: {
      group: 'Target',
      help: 'Nobody else uses the target during the run. If an item appears that the run did not create, the run fails. Always on for the mock.',
      toSetting: leaveOutFalse,
    },
  },
  requireTested: {
    record: optional(codec.whole(requiredShare, 100)),
    flag: {
      group: 'Verdict and report',
      value: '<percent>',
      bounds: [requiredShare, 100],
      help: `The run is inconclusive if less than this percentage of the planned requests leads to a verdict. Default: ${requiredShare}.`,
    },
  },
  /** Milliseconds after which no further request is sent. */
  timeLimit: {
    record: optional(codec.whole(1)),
    mayDiffer: true,
    flag: {
      group: 'Requests',
      ...seconds(1, 7 * 86_400),
      help: 'Stop sending after this time; the rest is not tested. Default: the time that the requests and waits need, plus a margin.',
    },
  },
  /** Milliseconds until a request without a response counts as hung. */
  timeout: {
    record: codec.whole(0),
    usual: 10_000,
    flag: {
      group: 'Requests',
      ...seconds(1, 3600),
      default: '10',
      help: 'Wait this long for a response.',
    },
  },
  maxResponseBytes: {
    record: optional(codec.whole(1)),
    flag: {
      group: 'Requests',
      value: '<bytes>',
      bounds: [1024, 268_435_456],
      help: 'Read at most this many bytes of a response. Above 8 MiB, the bounds on values and on the log grow too. Default: 8388608.',
    },
  },
  verifyTls: {
    record: codec.flag,
    usual: true,
    flag: {
      name: 'insecure',
      group: 'Target',
      help: 'Do not verify the TLS certificate of the target.',
      toSetting: (isInsecure: boolean) => !isInsecure,
    },
  },
  /** Longest wait for the rate limit, in milliseconds. */
  longestWait: { record: codec.whole(0), usual: maxWait },
  /** Name of the key's plan, whose limits are compared with the headers. */
  plan: {
    record: orUndefined(text),
    usual: undefined,
    mayDiffer: true,
    flag: {
      value: '<name>',
      help: 'Plan of the key, such as Free. Its limits are then compared with the rate-limit headers.',
    },
  },
  /** Requests for generated values and model-based sequences, in addition to `requests`. */
  fuzz: {
    record: count,
    usual: 0,
    mayDiffer: true,
    flag: {
      group: 'Fuzzing',
      ...number(0, maxRequests),
      default: '0',
      help: 'Send this many extra requests with generated values and sequences.',
    },
  },
  shard: {
    record: optional(shard),
    mayDiffer: true,
    flag: {
      group: 'Fuzzing',
      value: '<i/n>',
      read: parseShard,
      help: 'Send all planned requests, but only part i of n of the --fuzz requests. The merge command combines the reports.',
    },
  },
  /** Requests for smaller counterexamples, in addition to `requests` if none are left. */
  shrink: {
    record: count,
    flag: {
      group: 'Fuzzing',
      ...number(0, maxRequests),
      help: 'If something fails, send at most this many more requests to find a smaller failing example. Default: a tenth of --requests, at least 5.',
    },
  },
  /** Saved counterexamples, which are sent first. */
  saved: {
    record: list(counterexample, 1000),
    usual: [],
    flag: {
      name: 'save',
      group: 'Fuzzing',
      value: '<folder>',
      isFile: true,
      help: 'Repeat the failing examples in this folder first, and add new ones to it.',
    },
  },
  /** Known and accepted failures. */
  waivers: {
    record: list(waiver),
    usual: [],
    flag: {
      value: '<file>',
      isFile: true,
      help: 'JSON file of known failures, each with requirement, reason, owner and expiry date. An expired waiver, or one whose requirement passes, fails the run.',
    },
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Table = typeof runSettings;

/** One column of the table, for the settings that have it. */
type Column<Name extends keyof Setting> = {
  readonly [
    S in keyof Table as Table[S] extends Readonly<Record<Name, unknown>> ? S : never
  ]: Table[S] extends Readonly<Record<Name, infer Value>> ? Value : never;
};

/** One column of the table: records, defaults or flags. */
export function columnOf<Name extends keyof Setting>(name: Name): Column<Name>;
export function columnOf(name: keyof Setting): Readonly<Record<string, unknown>> {
  const rows: readonly (readonly [string, Setting])[] = Object.entries(runSettings);
  return Object.fromEntries(rows.flatMap(([key, row]) => (name in row ? [[key, row[name]]] : [])));
}

type Flags = Column<'flag'>;

/** The flags of the settings, by flag name. */
export type SettingFlags = {
  readonly [
    S in keyof Flags as Flags[S] extends { readonly name: infer Name extends string } ? Name : S
  ]: Flags[S];
};

/** The table of flags of the settings, for commands. */
export function listSettingFlags(): SettingFlags;
export function listSettingFlags(): Readonly<Record<string, SettingFlag>> {
  const flags: readonly (readonly [string, SettingFlag])[] = Object.entries(columnOf('flag'));
  return Object.fromEntries(flags.map(([setting, flag]) => [flag.name ?? setting, flag]));
}

function leaveOutFalse(isOn: boolean): true | undefined {
  return isOn || undefined;
}

/** The known record, for every member that refers to one. */
function readReferences(id: string, { openQuestions }: Contract): JsonObject {
  const value: JsonValue = /^-?\d+$/.test(id) ? parseJson(id) : id;
  const members = openQuestions
    .filter(({ kind }) => kind === 'reference')
    .map(({ at }) => at.split('/').at(-1) ?? '');
  return Object.fromEntries(members.map((member) => [member, value]));
}

const records = columnOf('record');

const settingsCodec = object(records);

type Settings = TypeOf<typeof settingsCodec>;

/** The names of `RunOptions`. */
export const runOptionNames: Readonly<Record<string, true>> = Object.fromEntries(
  [...Object.keys(runSettings), 'signal', 'clock', 'sender', 'watcher'].map((name) => [name, true]),
);

/** The options of a run. All have defaults. */
export type RunOptions = {
  readonly [Name in keyof Settings]?: Settings[Name] | undefined;
} & RunHooks;

/** Hooks of a run, which do not affect its result. */
interface RunHooks {
  /** Aborts the run: no further request is sent, and nothing is judged. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly sender?: Sender | undefined;
  readonly watcher?: Watcher | undefined;
}

/** The settings for given flags, except those that name a file. */
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
  /**
   * Milliseconds by which the target's clock was advanced instead of waiting; left out for a real
   * clock.
   */
  clockMoved: optional(whole(0)),
  /** The wrong keys that could be derived from the key; undefined without a key. */
  nearMisses: orUndefined(
    refine(
      list(credentialUse),
      (uses) => /^((cut,)?longer(,other-case)?|nameless,marked,other-case)$/.test(uses.join()),
      'longer, with or without cut before it and other-case after it; or nameless, marked, other-case',
    ),
  ),
});

/**
 * Everything that determines a run besides the contract and the responses, with defaults filled in.
 * With the log, it is enough to run the suite again. Never contains the key.
 */
export type RunRecord = TypeOf<typeof runRecord>;

/** Settings that are fixed before a run starts. */
export type RunSettings = Omit<RunRecord, 'startedAt' | 'endedAt' | 'clockMoved'>;

/** SHA-256 of the settings that all shards of a run share. */
export function digestSettings(record: RunRecord): string {
  const rows: readonly (readonly [string, Setting])[] = Object.entries(runSettings);
  const rendered = runRecord.render(record);
  const same = rows.flatMap(([name, { mayDiffer }]) =>
    mayDiffer || rendered[name] === undefined ? [] : [[name, rendered[name]] as const],
  );
  return hash('sha256', renderJson(Object.fromEntries(same)));
}

/**
 * Completes the settings of a run: missing options get their defaults.
 * @throws {PetstoreError} for a base address or an option that cannot be used
 */
export function settleRun(
  contract: Contract,
  { baseUrl, apiKey }: Target,
  { signal: _signal, clock: _clock, sender: _sender, watcher: _watcher, ...options }: RunOptions,
): RunSettings {
  const { saved: _saved, ...plain } = options;
  refuseWrongValues(plain);
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

/** Rejects what the record of a run cannot hold, because JavaScript callers have no compiler. */
function refuseWrongValues(options: Readonly<Record<string, JsonValue | undefined>>): void {
  const codecs: Readonly<Record<string, codec.Codec<unknown>>> = records;
  for (const [name, value] of Object.entries(options))
    try {
      if (value !== undefined) codecs[name]?.read(value, `/${name}`);
    } catch (error) {
      if (!hasCode(error, 'shape')) throw error;
      throw new PetstoreError('argument', `The option ${error.message.slice(1)}.`, {
        cause: error,
      });
    }
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

/** Default of `--requests`. */
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

/** The plan of a run, fixed before its first request: its probes in order, and their totals. */
export interface RunPlan {
  readonly probes: readonly Probe[];
  readonly left: readonly { readonly probe: Probe; readonly reason: Reason }[];
  /** Requests of the default plan that did not fit into a smaller budget. */
  readonly omitted: number;
  /** Expected requests of the probes; never above the budget. */
  readonly requests: number;
  readonly budget: number;
  /** Upper bound of requests on top of the budget, for smaller counterexamples after a failure. */
  readonly shrink: number;
  /** Requests that would give a probe to every requirement that can be tested. */
  readonly needed: number;
  /** Operations with requirements of members that are left out, because a document has too many. */
  readonly merged: number;
}

/** Receives the progress of a run, for display. */
export interface Watcher {
  readonly onPlan?: (plan: RunPlan) => void;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onWait?: (milliseconds: number, reason: WaitReason) => void;
}
