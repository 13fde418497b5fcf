import type { JsonObject, JsonValue } from '../../contract/index.ts';
import type {
  Counterexample,
  CounterexampleStep,
  ItemReference,
} from '../counterexample/counterexample.ts';
import type { CredentialUse } from '../transport/exchange.ts';
import { readCredentialUse, readIntent, renderIntent } from '../transport/exchange-log.ts';
import {
  listOf,
  LogError,
  mapOf,
  openMembers,
  orNull,
  readFlag,
  readInstant,
  readText,
  wholeFrom,
  type Read,
} from '../transport/log-reader.ts';
import { parseBaseUrl } from '../transport/target.ts';
import { isDay, type Waiver } from '../judge/waiver.ts';

/**
 * Everything that decides a run besides the contract and the responses: with the log of its
 * exchanges, whoever has it can run the suite again. Every default is settled. Never holds the key.
 */
export interface RunRecord {
  readonly baseUrl: string;
  /** Name of the plan that the key was said to have. */
  readonly plan: string | undefined;
  readonly seed: number;
  /** Most requests, without those of `exhaust` and `fuzz`. */
  readonly requests: number;
  readonly readOnly: boolean;
  readonly exhaust: boolean;
  readonly fuzz: number;
  readonly shrink: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly waivers: readonly Waiver[];
  readonly saved: readonly Counterexample[];
  /** Values of members that refer to records which exist, by member. */
  readonly references: Readonly<Record<string, JsonValue>>;
  /** Milliseconds. */
  readonly timeout: number;
  /** Milliseconds. */
  readonly longestWait: number;
  readonly verifyTls: boolean;
  /** The wrong keys that could be made from the key; undefined where there was no key. */
  readonly nearMisses: readonly CredentialUse[] | undefined;
  /** Milliseconds since the Unix epoch, by the suite's clock. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * A record as JSON: what a type says may be undefined is `null`, what may be missing is left out.
 * Reads back equal.
 */
export function renderRunRecord(record: RunRecord): JsonObject {
  const { plan, waivers, saved, nearMisses, ...others } = record;
  return {
    ...others,
    plan: plan ?? null,
    waivers: waivers.map(renderWaiver),
    saved: saved.map(renderCounterexample),
    nearMisses: nearMisses ?? null,
  };
}

function renderWaiver({ requirement, reason, owner, expires }: Waiver): JsonObject {
  return { requirement, reason, owner, expires };
}

function renderCounterexample({ requirement, plan, tag, steps }: Counterexample): JsonObject {
  return {
    requirement,
    ...(plan === undefined ? {} : { plan }),
    tag,
    steps: steps.map(renderStep),
  };
}

function renderStep({ operation, intent, path, ...others }: CounterexampleStep): JsonObject {
  return {
    operation,
    intent: renderIntent(intent),
    ...(path === undefined
      ? {}
      : {
          path: Object.fromEntries(
            Object.entries(path).map(([name, value]) => [
              name,
              typeof value === 'string' ? value : { ...value },
            ]),
          ),
        }),
    ...others,
  };
}

/** Most of each: what a verifier can plan in a moment. */
const most = { requests: 1_000_000, saved: 1000 };

const readCount = wholeFrom(0, most.requests);

const readDuration = wholeFrom(0, Number.MAX_SAFE_INTEGER);

/**
 * Reads a record from JSON, strictly.
 * @throws {LogError} for the first thing that is wrong
 */
export function readRunRecord(value: JsonValue): RunRecord {
  const names = [
    'baseUrl',
    'plan',
    'seed',
    'requests',
    'readOnly',
    'exhaust',
    'fuzz',
    'shrink',
    'only',
    'skip',
    'waivers',
    'saved',
    'references',
    'timeout',
    'longestWait',
    'verifyTls',
    'nearMisses',
    'startedAt',
    'endedAt',
  ];
  const { need } = openMembers(value, '', names);
  return {
    baseUrl: need('baseUrl', readBaseUrl),
    plan: need('plan', orNull(readText)),
    seed: need('seed', wholeFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
    requests: need('requests', readCount),
    readOnly: need('readOnly', readFlag),
    exhaust: need('exhaust', readFlag),
    fuzz: need('fuzz', readCount),
    shrink: need('shrink', readCount),
    only: need('only', listOf(readText)),
    skip: need('skip', listOf(readText)),
    waivers: need('waivers', listOf(readWaiver)),
    saved: need('saved', readSaved),
    references: need(
      'references',
      mapOf((each) => each),
    ),
    timeout: need('timeout', readDuration),
    longestWait: need('longestWait', readDuration),
    verifyTls: need('verifyTls', readFlag),
    nearMisses: need('nearMisses', orNull(readNearMisses)),
    startedAt: need('startedAt', readInstant),
    endedAt: need('endedAt', readInstant),
  };
}

const readBaseUrl: Read<string> = (value, at) => {
  const text = readText(value, at);
  if (URL.canParse(text) && isPlain(text)) return text;
  throw new LogError(
    at,
    'has to be a base address as the suite writes it, such as http://127.0.0.1:4010/v1',
  );
};

function isPlain(text: string): boolean {
  try {
    return parseBaseUrl(text) === text;
  } catch {
    return false;
  }
}

const readWaiver: Read<Waiver> = (value, at) => {
  const { need } = openMembers(value, at, ['requirement', 'reason', 'owner', 'expires']);
  return {
    requirement: need('requirement', readText),
    reason: need('reason', readText),
    owner: need('owner', readText),
    expires: need('expires', readDay),
  };
};

const readDay: Read<string> = (value, at) => {
  const text = readText(value, at);
  if (isDay(text)) return text;
  throw new LogError(at, 'has to be a day such as 2026-12-31');
};

/** Only what some key allows: see `nearMisses`. */
const readNearMisses: Read<readonly CredentialUse[]> = (value, at) => {
  const found = listOf(readCredentialUse)(value, at);
  if (/^(cut,)?longer(,other-case)?$/.test(found.join())) return found;
  throw new LogError(at, 'has to be longer, with or without cut before it and other-case after it');
};

const readSaved: Read<readonly Counterexample[]> = (value, at) => {
  const found = listOf(readCounterexample)(value, at);
  if (found.length <= most.saved) return found;
  throw new LogError(at, `has to have at most ${most.saved} entries`);
};

const readCounterexample: Read<Counterexample> = (value, at) => {
  const { need, take } = openMembers(value, at, ['requirement', 'tag', 'steps'], ['plan']);
  const plan = take('plan', readText);
  return {
    requirement: need('requirement', readText),
    ...(plan === undefined ? {} : { plan }),
    tag: need('tag', readText),
    steps: need('steps', listOf(readStep)),
  };
};

const readStep: Read<CounterexampleStep> = (value, at) => {
  const { need, take } = openMembers(
    value,
    at,
    ['operation', 'intent'],
    ['path', 'query', 'body', 'credential', 'group'],
  );
  const [path, query, body] = [
    take('path', mapOf(readPathValue)),
    take('query', mapOf(readText)),
    take('body', readText),
  ];
  const [credential, group] = [take('credential', readCredentialUse), take('group', readText)];
  return {
    operation: need('operation', readText),
    intent: need('intent', readIntent),
    ...(path === undefined ? {} : { path }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(credential === undefined ? {} : { credential }),
    ...(group === undefined ? {} : { group }),
  };
};

const readPathValue: Read<string | ItemReference> = (value, at) => {
  if (typeof value === 'string') return value;
  const { need, take } = openMembers(value, at, ['step'], ['item']);
  const item = take('item', readCount);
  return { step: need('step', readCount), ...(item === undefined ? {} : { item }) };
};
