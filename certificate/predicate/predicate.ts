import type { JsonObject, Level as RequirementLevel } from '../../contract/index.ts';
import type { ChainedLog } from '../envelope/log-chain.ts';

/** What a certificate is about: a server that was asked, or a client that was watched. */
export type SubjectKind = 'server' | 'client';

/**
 * The type of the predicate: what its members mean, in its first major version. An address that
 * leads nowhere, as in-toto allows.
 */
export const predicateType = 'https://petstore.example/conformance-certificate/v1';

/**
 * What a certificate says: the predicate of an in-toto Statement. Data only; what is unknown is
 * `null`, never absent. Everything but `target.name`, `target.version`, `target.baseUrl` and
 * `selftest` can be computed again from `configuration`, `log` and the contract.
 */
export interface Predicate extends Claims {
  readonly kind: SubjectKind;
  readonly target: CertifiedTarget;
  readonly suite: Suite;
  /** How the suite was measured itself; null where it was not. */
  readonly selftest: SelftestRecord | null;
  /**
   * Everything that decided the run besides the contract and the responses, the seed among it. Holds
   * no key.
   */
  readonly configuration: JsonObject;
  readonly log: ChainedLog;
}

/**
 * What follows from the log, the configuration and the contract, and is compared entry by entry
 * when it is computed again.
 */
export interface Claims {
  readonly contract: { readonly title: string; readonly version: string; readonly digest: string };
  readonly run: RunSpan;
  readonly level: Level;
  readonly counts: Readonly<Record<VerdictKind, number>>;
  readonly verdicts: readonly VerdictEntry[];
  readonly waivers: readonly WaiverEntry[];
}

/** Who was judged, in the words of whoever ran it. */
export interface CertifiedTarget {
  readonly name: string;
  readonly version: string;
  /** Where it was reached; null for one that is reached nowhere, as a client. */
  readonly baseUrl: string | null;
}

/**
 * The suite that judged, by all that its verdicts depend on; nothing of it depends on how its source
 * is written.
 */
export interface Suite {
  readonly name: string;
  readonly version: string;
  /** SHA-256 over the packages that the suite stands on, with their versions. */
  readonly dependencies: string;
  /** `rulesVersion` of the suite. */
  readonly rules: number;
}

export interface RunSpan {
  readonly startedAt: string;
  readonly milliseconds: number;
  /** Why the run ended before its plan; null if it did not. */
  readonly endedEarly: string | null;
}

/**
 * `conforms`: nothing failed unwaived, every `must` passed or is covered by a waiver in
 * force, and no waiver is out of date or needless. `failed`: a `must` is failed and no waiver
 * in force covers it. `incomplete`: neither.
 */
export type Level = 'conforms' | 'failed' | 'incomplete';

export const levels: readonly Level[] = ['conforms', 'failed', 'incomplete'];

export type VerdictKind = 'passed' | 'failed' | 'waived' | 'not-tested' | 'open';

export const verdictKinds: readonly VerdictKind[] = [
  'passed',
  'failed',
  'waived',
  'not-tested',
  'open',
];

export const requirementLevels: readonly RequirementLevel[] = ['must', 'should', 'open'];

/** The verdict of one requirement. */
export interface VerdictEntry {
  readonly id: string;
  readonly level: RequirementLevel;
  readonly sentence: string;
  readonly verdict: VerdictKind;
  /** Indexes of the log entries that show it, each once, in order; empty for `not tested`. */
  readonly evidence: readonly number[];
  /** Why it is not tested; null for the others. */
  readonly reason: string | null;
  /**
   * What is done where the contract is silent, by the ids of its choices; null for something that
   * is none of them.
   */
  readonly choices: readonly (string | null)[];
  /** What was expected and what was seen, for `failed` and `waived`. */
  readonly failures: readonly FailureEntry[];
}

export interface FailureEntry {
  readonly expected: string;
  readonly received: string;
  readonly evidence: readonly number[];
}

/** A failure that somebody agreed to live with for a while, and what became of it in the run. */
export interface WaiverEntry {
  readonly requirement: string;
  readonly reason: string;
  readonly owner: string;
  /** Its last day, `YYYY-MM-DD` (UTC). */
  readonly expires: string;
  readonly state: WaiverState;
}

/** `used` and `unreached` are in force; `expired` and `needless` are not. */
export type WaiverState = 'used' | 'unreached' | 'expired' | 'needless';

export const waiverStates: readonly WaiverState[] = ['used', 'unreached', 'expired', 'needless'];

/** The suite's own kill rate: what it made of mutants and of lawful variants. */
export interface SelftestRecord {
  readonly suite: Suite;
  readonly measuredAt: string;
  readonly seeds: number;
  /**
   * Runs against a server with a mutant, and how many named the fault by its own
   * requirement.
   */
  readonly mutants: { readonly runs: number; readonly caught: number; readonly distinct: number };
  /** Runs against a lawful server, and how many failed it. */
  readonly variants: {
    readonly runs: number;
    readonly falseAlarms: number;
    readonly distinct: number;
  };
}
