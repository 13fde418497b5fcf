import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../contract/json/value.ts';
import { counterexample } from '../counterexample/counterexample.ts';
import { waiver } from '../judge/waiver.ts';
import { requiredShare } from '../outcome/inconclusive.ts';
import { mostWait } from '../outcome/time-limit.ts';
import { parseShard, shard } from '../shard/shard.ts';

const { list, map, optional, orUndefined, text } = codec;

/** What is known of a setting. All that has to do with one is in its row, but for what it does. */
export interface Setting {
  /** How the record of a run has it. An optional one is left out where it is not given. */
  readonly record: codec.Codec<unknown>;
  /** Its value where it is not given. */
  readonly usual?: unknown;
  /** The shards of one run may differ in it. */
  readonly mayDiffer?: true;
  /** The option of commands, configuration files and the environment that gives it. */
  readonly flag?: SettingFlag;
}

/** A row of the flags of a command, and how its value becomes that of the setting. */
export interface SettingFlag {
  /** Default: that of the setting. */
  readonly name?: string;
  /** Default: the value as it is. Not called where the flag is not given. */
  toSetting?(value: unknown, contract: Contract): unknown;
  /** It names a file or folder, which the command reads. */
  readonly isFile?: true;
  readonly [member: string]: unknown;
}

/** At most what a verifier can plan in a moment. */
const mostRequests = 1_000_000;

const count = codec.whole(0, mostRequests);

const number = (least: number, most: number) =>
  ({ value: '<number>', bounds: [least, most] }) as const;

/** Seconds on the command line, milliseconds in the setting. */
const seconds = (least: number, most: number) =>
  ({ value: '<seconds>', bounds: [least, most], unit: 1000 }) as const;

/** Everything that decides a run besides the contract, the target and its responses. */
export const runSettings = {
  requests: {
    /**
     * Does not count the requests of `exhaust` and `fuzz`, up to six to settle what Remaining does where
     * it goes up or does not move, and up to six to settle which request added an item.
     */
    record: count,
    flag: {
      ...number(1, mostRequests),
      otherNames: ['limit', 'budget', 'count', 'max-requests'],
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
  /** Ids of requirements, beginnings of ids, families or operations. */
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
  /** Values of members that refer to records which exist, by member: `categoryId`. */
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
  /** Identifiers of items that exist, by path parameter or by collection: `petId`, `pets`. */
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
  /** Milliseconds after which nothing more is sent. */
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
  /** Longest wait for the rate limit, milliseconds. */
  longestWait: { record: codec.whole(0), usual: mostWait },
  /** Name of the plan that the key has; the limit is then compared with it. */
  plan: {
    record: orUndefined(text),
    usual: undefined,
    mayDiffer: true,
    flag: {
      value: '<name>',
      help: 'Plan of the key, such as Free. Its limits are then compared with the rate-limit headers.',
    },
  },
  /** Requests for generated values and model-based sequences, on top of `requests`. */
  fuzz: {
    record: count,
    usual: 0,
    mayDiffer: true,
    flag: {
      group: 'Fuzzing',
      ...number(0, mostRequests),
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
  /** Requests for smaller counterexamples, on top where none are left. */
  shrink: {
    record: count,
    flag: {
      group: 'Fuzzing',
      ...number(0, mostRequests),
      help: 'If something fails, send at most this many more requests to find a smaller failing example. Default: a tenth of --requests, at least 5.',
    },
  },
  /** Counterexamples to look for again, before anything else. */
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
  /** Failures that are known and agreed. */
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

/** One column of the table: the records, what is usual, or the flags. */
export function columnOf<Name extends keyof Setting>(name: Name): Column<Name>;
export function columnOf(name: keyof Setting): Readonly<Record<string, unknown>> {
  const rows: readonly (readonly [string, Setting])[] = Object.entries(runSettings);
  return Object.fromEntries(rows.flatMap(([key, row]) => (name in row ? [[key, row[name]]] : [])));
}

type Flags = Column<'flag'>;

/** The flags of the settings, by the names that users know them by. */
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

/** The record that is known to exist, for every member that refers to one. */
function readReferences(id: string, { openQuestions }: Contract): JsonObject {
  const value: JsonValue = /^-?\d+$/.test(id) ? parseJson(id) : id;
  const members = openQuestions
    .filter(({ kind }) => kind === 'reference')
    .map(({ at }) => at.split('/').at(-1) ?? '');
  return Object.fromEntries(members.map((member) => [member, value]));
}
