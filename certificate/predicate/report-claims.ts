import {
  commonChoices,
  type Observation,
  type Report,
  type Verdict,
} from '../../conformance/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { settleLevel } from './level.ts';
import type { Claims, VerdictEntry, WaiverEntry } from './predicate.ts';

/** What a certificate says of a run of the suite: all of it follows from the report. */
export function claimReport({
  contract,
  run,
  verdicts,
  waivers,
  counts,
  inconclusive,
}: Report): Claims {
  const entries = verdicts.map(describeVerdict);
  const waived = waivers.map(({ waiver, state }): WaiverEntry => ({ ...waiver, state }));
  const { title, version, digest, leftOut } = contract;
  const { startedAt, milliseconds, endedEarly = null } = run;
  return {
    contract: {
      title,
      version,
      digest,
      ...(leftOut === undefined ? {} : { leftOut: leftOut.count }),
    },
    run: {
      startedAt,
      milliseconds,
      endedEarly: endedEarly && shorten(endedEarly),
      ...(inconclusive === undefined ? {} : { inconclusive: shorten(inconclusive) }),
    },
    level: settleLevel(entries, waived, [], inconclusive),
    counts,
    verdicts: entries,
    waivers: waived,
  };
}

function describeVerdict(verdict: Verdict): VerdictEntry {
  const { id, level, sentence, subject } = verdict.requirement;
  return {
    id,
    level,
    sentence: shorten(sentence),
    verdict: verdict.kind,
    evidence: [],
    reason: null,
    ...(subject.kind === 'client' && !subject.applies ? { applies: false } : {}),
    choices: [],
    failures: [],
    ...describeEvidence(verdict),
  };
}

function describeEvidence(verdict: Verdict): Partial<VerdictEntry> {
  switch (verdict.kind) {
    case 'passed':
      return { evidence: distinct(verdict.exchanges) };
    case 'not-tested':
      return { reason: shorten(verdict.reason) };
    case 'open':
      return {
        evidence: distinct(verdict.observations.map(({ exchange }) => exchange)),
        choices: listChoices(verdict.observations),
      };
    case 'failed':
    case 'waived': {
      const failures = verdict.failures.map(({ expected, received, exchange, others }) => ({
        expected: shorten(expected),
        received: shorten(received),
        evidence: distinct([exchange, ...others]),
      }));
      return { evidence: distinct(failures.flatMap(({ evidence }) => evidence)), failures };
    }
  }
}

/** A text for people that decides nothing, as long as a certificate has it. */
function shorten(text: string): string {
  const most = certificateLimits.text;
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}

function distinct(indexes: readonly number[]): readonly number[] {
  return [...new Set(indexes)].toSorted((one, other) => one - other);
}

/** The choices that fit; null for something else. */
function listChoices(observations: readonly Observation[]): readonly (string | null)[] {
  const choices = commonChoices(observations);
  return choices.length === 0 ? [null] : choices;
}
