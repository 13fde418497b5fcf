import type { Report, Verdict } from '../../conformance/index.ts';
import { settleLevel } from './level.ts';
import type { Claims, VerdictEntry, WaiverEntry } from './predicate.ts';

/** What a certificate says of a run of the suite: all of it follows from the report. */
export function claimReport({ contract, run, verdicts, waivers, counts }: Report): Claims {
  const entries = verdicts.map(describeVerdict);
  const waived: readonly WaiverEntry[] = waivers.map(
    ({ waiver: { obligation, reason, owner, expires }, state }) => ({
      obligation,
      reason,
      owner,
      expires,
      state,
    }),
  );
  const { held, violated, waived: covered, unproven, observed } = counts;
  return {
    contract: { title: contract.title, version: contract.version, digest: contract.digest },
    run: {
      startedAt: run.startedAt,
      milliseconds: run.milliseconds,
      endedEarly: run.endedEarly ?? null,
    },
    level: settleLevel(entries, waived),
    counts: { held, violated, waived: covered, unproven, observed },
    verdicts: entries,
    waivers: waived,
  };
}

function describeVerdict(verdict: Verdict): VerdictEntry {
  const { id, level, sentence } = verdict.obligation;
  return {
    id,
    level,
    sentence,
    verdict: verdict.kind,
    evidence: [],
    reason: null,
    choices: [],
    violations: [],
    ...describeEvidence(verdict),
  };
}

function describeEvidence(verdict: Verdict): Partial<VerdictEntry> {
  switch (verdict.kind) {
    case 'held':
      return { evidence: distinct(verdict.exchanges) };
    case 'unproven':
      return { reason: verdict.reason };
    case 'observed':
      return {
        evidence: distinct(verdict.observations.map(({ exchange }) => exchange)),
        choices: [...new Set(verdict.observations.map(({ choice }) => choice ?? null))],
      };
    case 'violated':
    case 'waived': {
      const violations = verdict.violations.map(({ expected, received, exchange, others }) => ({
        expected,
        received,
        evidence: distinct([exchange, ...others]),
      }));
      return { evidence: distinct(violations.flatMap(({ evidence }) => evidence)), violations };
    }
  }
}

function distinct(indexes: readonly number[]): readonly number[] {
  return [...new Set(indexes)].toSorted((one, other) => one - other);
}
