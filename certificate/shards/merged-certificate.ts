import type { MergeFacts, Report } from '../../conformance/index.ts';
import { PetstoreError } from '../../contract/index.ts';
import type { CertificateParts } from '../predicate/compose-certificate.ts';
import { settleLevel } from '../predicate/level.ts';
import type { CertifiedTarget, Claims, SelftestRecord, Suite } from '../predicate/predicate.ts';
import { claimReport } from '../predicate/report-claims.ts';
import { type Citation, citation, mergedConfiguration } from './citation.ts';

/** What a merged certificate says besides what follows from the certificates that it cites. */
export interface MergedMakings {
  readonly target: Omit<CertifiedTarget, 'baseUrl'>;
  readonly suite: Suite;
  readonly selftest: SelftestRecord | undefined;
}

/**
 * The parts of the certificate of a merged report: its log are the certificates of the shards, in
 * order, and evidence names them by their place there.
 *
 * @param first the report of any shard, for what is the same in all
 */
export function describeMerged(
  merged: Report,
  first: Report,
  citations: readonly Citation[],
  { target, suite, selftest }: MergedMakings,
): CertificateParts {
  const { shard } = first.run;
  if (shard === undefined || merged.merge === undefined)
    throw new PetstoreError('merge', 'A report that was not merged has no certificate of shards.');
  const configuration = mergedConfiguration.render({
    shards: shard.count,
    seed: first.run.seed,
    fuzz: shard.fuzz,
    settings: shard.settings,
  });
  return {
    kind: 'shards',
    target: { ...target, baseUrl: merged.target.baseUrl },
    suite,
    selftest: selftest ?? null,
    configuration,
    ...claimMerged(merged, merged.merge),
    entries: citations.map((each) => citation.render(each)),
  };
}

/** What a merged certificate says of the shards: evidence are places in its list of citations. */
export function claimMerged(merged: Report, merge: MergeFacts): Claims {
  // Which shards are missing follows from the log.
  const { inconclusive, ...known } = merged;
  const claims = claimReport(merge.missing.length === 0 ? { ...known, inconclusive } : known);
  const place = (evidence: readonly number[]): readonly number[] => [
    ...new Set(
      evidence.map((exchange) =>
        merge.shards.findLastIndex(({ from, requests }) => requests > 0 && from <= exchange),
      ),
    ),
  ];
  return {
    ...claims,
    level: settleLevel(claims.verdicts, claims.waivers, merge.missing, claims.run.inconclusive),
    verdicts: claims.verdicts.map((entry) => ({
      ...entry,
      evidence: place(entry.evidence),
      failures: entry.failures.map((failure) => ({
        ...failure,
        evidence: place(failure.evidence),
      })),
    })),
  };
}
