import { codec, type JsonValue, type TypeOf } from '../../contract/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { listWithin, textWithin } from '../envelope/bounded.ts';
import { digest } from '../envelope/digest.ts';
import { chainedLog } from '../envelope/log-chain.ts';
import { readShape } from '../envelope/untrusted-json.ts';

const { flag, object, oneOf, optional, orNull } = codec;

const text = textWithin(certificateLimits.text);

const targetName = textWithin(certificateLimits.targetName);

const count = codec.whole(0);

/** What shows something: indexes of log entries, or failures that name some. */
const evidence = codec.list(count);

/** An instant as RFC 3339 has it in UTC, with or without milliseconds. */
const instant = codec.refine(
  text,
  (found) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(found) && !Number.isNaN(Date.parse(found)),
  'an instant such as 2026-12-31T23:59:59Z',
);

/** The type of the predicate, in its first major version. It leads nowhere, as in-toto allows. */
export const predicateType = 'https://petstore.example/conformance-certificate/v1';

/** What a certificate is about: a server that was asked, or a client that was watched. */
export type SubjectKind = Exclude<Predicate['kind'], 'shards'>;

/** Who was judged, in the words of whoever ran it. */
export type CertifiedTarget = Predicate['target'];

/** The suite that judged, by all that its verdicts depend on, and not by its source. */
export type Suite = TypeOf<typeof suite>;

const suite = object({
  name: text,
  version: text,
  /** SHA-256 over the packages that the suite stands on, with their versions. */
  dependencies: digest,
  /** `rulesVersion` of the suite. */
  rules: count,
});

/**
 * `conforms`: nothing failed unwaived, every `must` that applies passed or is covered by a waiver in
 * force, and no waiver is out of date or needless. `failed`: a `must` failed and no waiver
 * in force covers it. `incomplete`: neither.
 */
export type Level = Claims['level'];

const failureEntry = object({ expected: text, received: text, evidence });

export type VerdictEntry = TypeOf<typeof verdictEntry>;

const verdictEntry = object({
  id: text,
  level: oneOf(['must', 'should', 'open']),
  sentence: text,
  verdict: oneOf(['passed', 'failed', 'waived', 'not-tested', 'open']),
  /** Indexes of the log entries that show it, each once, in order; empty for `not tested`. */
  evidence,
  /** Why it is not tested; null for the others. */
  reason: orNull(text),
  /** False for a rule that is about nothing that this client does; left out where it applies. */
  applies: optional(flag),
  /** Ids of the choices that fit where the contract is silent; null for something else. */
  choices: listWithin(orNull(text), certificateLimits.choices),
  /** What was expected and what was seen, for `failed` and `waived`. */
  failures: codec.list(failureEntry),
});

/** A failure that somebody agreed to live with for a while, and what became of it in the run. */
export type WaiverEntry = TypeOf<typeof waiverEntry>;

const waiverEntry = object({
  requirement: text,
  reason: text,
  owner: text,
  /** Its last day, `YYYY-MM-DD` (UTC). */
  expires: text,
  /** `used` and `unreached` are in force; `expired` and `needless` are not. */
  state: oneOf(['used', 'unreached', 'expired', 'needless']),
});

/**
 * The suite's own kill rate: what it made of mutants and of lawful variants. On a certificate of a
 * client these are clients: what it made of servers does not stand there.
 */
export type SelftestRecord = TypeOf<typeof selftestRecord>;

const selftestRecord = object({
  suite,
  measuredAt: instant,
  seeds: count,
  /** Runs with a mutant, and how many named the fault by its own requirement or rule. */
  mutants: object({ runs: count, caught: count, distinct: count }),
  /** Runs with a lawful variant, and how many failed it. */
  variants: object({ runs: count, falseAlarms: count, distinct: count }),
});

const claims = {
  contract: object({
    title: text,
    version: text,
    digest,
    /** Errors of the document, each of which left a part out; left out where there are none. */
    leftOut: optional(count),
  }),
  run: object({
    startedAt: instant,
    milliseconds: codec.quantity,
    /** Why the run ended before its plan; null if it did not. */
    endedEarly: orNull(text),
    /** Why the run is inconclusive; left out where it is not. */
    inconclusive: optional(text),
  }),
  level: oneOf(['conforms', 'failed', 'incomplete']),
  counts: object({ passed: count, failed: count, waived: count, 'not-tested': count, open: count }),
  verdicts: listWithin(verdictEntry, certificateLimits.verdicts),
  waivers: listWithin(waiverEntry, certificateLimits.waivers),
};

/** What follows from log, configuration and contract, and is compared when computed again. */
export type Claims = Pick<Predicate, keyof typeof claims>;

/**
 * What a certificate says: the predicate of an in-toto Statement. Data only; what is unknown is
 * `null`, never absent. Everything but `target.name`, `target.version`, `target.baseUrl` and
 * `selftest` can be computed again from `configuration`, `log` and the contract.
 */
export type Predicate = TypeOf<typeof predicate>;

export const predicate = object({
  /** `shards`: of a server, by the certificates of several runs, which its log cites. */
  kind: oneOf(['server', 'client', 'shards']),
  target: object({
    name: targetName,
    version: targetName,
    /** Where it was reached; null for one that is reached nowhere, as a client. */
    baseUrl: orNull(text),
  }),
  suite,
  /** How the suite was measured itself; null where it was not. */
  selftest: orNull(selftestRecord),
  /** Everything that decided the run besides contract and responses, the seed too. Holds no key. */
  configuration: codec.jsonObject,
  log: chainedLog,
  ...claims,
});

/** What is wrong with a predicate that is to be written, as a sentence; undefined for a sound one. */
export function findFault(said: Predicate): string | undefined {
  const read = readShape(predicate, predicate.render(said), 'predicate', 'It cannot be written');
  return read.kind === 'read' ? undefined : read.finding.sentence;
}

/** Reads a record of the suite's kill rate; undefined for anything else. */
export function parseSelftest(value: JsonValue): SelftestRecord | undefined {
  const read = readShape(selftestRecord, value, 'selftest', '');
  return read.kind === 'read' ? read.value : undefined;
}
