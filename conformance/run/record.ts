import { codec, type JsonObject, type JsonValue, type TypeOf } from '../../contract/index.ts';
import { counterexample } from '../counterexample/counterexample.ts';
import { waiver } from '../judge/waiver.ts';
import { credentialUse } from '../transport/exchange.ts';
import { parseBaseUrl } from '../transport/target.ts';

const { flag, list, map, milliseconds, object, orUndefined, refine, text, whole } = codec;

const baseUrl = refine(
  text,
  isPlainUrl,
  'a base address as the suite writes it, such as http://127.0.0.1:4010/v1',
);

function isPlainUrl(address: string): boolean {
  try {
    return parseBaseUrl(address) === address;
  } catch {
    return false;
  }
}

/** Only what some key allows: see `nearMisses` of a target. */
const nearMisses = refine(
  list(credentialUse),
  (uses) => /^(cut,)?longer(,other-case)?$/.test(uses.join()),
  'longer, with or without cut before it and other-case after it',
);

/** At most what a verifier can plan in a moment. */
const count = whole(0, 1_000_000);

const duration = whole(0);

/**
 * Everything that decides a run besides the contract and the responses, defaults settled: with
 * the log, the suite can be run again. Never holds the key.
 */
export type RunRecord = TypeOf<typeof runRecord>;

const runRecord = object({
  baseUrl,
  seed: whole(Number.MIN_SAFE_INTEGER),
  /** Most requests, without those of `exhaust` and `fuzz`. */
  requests: count,
  readOnly: flag,
  exhaust: flag,
  fuzz: count,
  shrink: count,
  only: list(text),
  skip: list(text),
  /** Values of members that refer to records which exist, by member. */
  references: map(codec.json),
  /** Milliseconds. */
  timeout: duration,
  /** Milliseconds. */
  longestWait: duration,
  verifyTls: flag,
  startedAt: milliseconds,
  endedAt: milliseconds,
  /** Name of the plan that the key was said to have. */
  plan: orUndefined(text),
  waivers: list(waiver),
  saved: list(counterexample, 1000),
  /** The wrong keys that could be made from the key; undefined where there was no key. */
  nearMisses: orUndefined(nearMisses),
});

/** A record as JSON; reads back equal. */
export function renderRunRecord(record: RunRecord): JsonObject {
  return runRecord.render(record);
}

/**
 * Reads a record from JSON, strictly.
 * @throws {PetstoreError} with code `shape`, for the first thing that is wrong
 */
export function readRunRecord(value: JsonValue): RunRecord {
  return runRecord.read(value, '');
}
