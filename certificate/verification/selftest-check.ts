import { jsonEquals } from '../../contract/index.ts';
import { type CertificateFinding, breaks, notice } from '../envelope/finding.ts';
import type { Predicate, SelftestRecord, SubjectKind, Suite } from '../predicate/predicate.ts';
import { isSameSuite, subjectOf } from '../predicate/summary.ts';

/** What is known of the suite at hand, to compare a kill rate with. */
export interface SelftestKnowledge {
  readonly suite: Suite;
  /** The package's own records; undefined where one is missing. */
  readonly selftest: Readonly<Record<SubjectKind, SelftestRecord | undefined>>;
}

interface SelftestCheck {
  readonly findings: readonly CertificateFinding[];
  /** Whether it is the package's own record. Else its figures are the signer's word. */
  readonly isProved: boolean;
}

/**
 * Compares the kill rate of a certificate with the record of the version at hand. A version has one
 * record, so a certificate of this version with another one was changed.
 */
export function checkSelftest(
  { kind, selftest, suite }: Predicate,
  { suite: own, selftest: records }: SelftestKnowledge,
): SelftestCheck {
  if (selftest === null)
    return { isProved: false, findings: [tell('It carries no kill rate of the suite.')] };
  const known = records[subjectOf(kind)];
  const old = isSameSuite(selftest.suite, suite)
    ? []
    : [tell('The kill rate was measured on another version of the suite.')];
  if (known !== undefined && jsonEquals(known, selftest)) return { isProved: true, findings: old };
  if (known !== undefined && isSameSuite(known.suite, own) && isSameSuite(suite, own)) {
    const other = `The kill rate of the suite is not the one of this version, which was measured on ${known.measuredAt}.`;
    return { isProved: false, findings: [breaks('selftest', 'selftest', other)] };
  }
  const isOfServers = kind === 'client' && records.server?.measuredAt === selftest.measuredAt;
  const why = isOfServers
    ? 'it is that of servers, which says nothing of the rules for clients'
    : 'this version has no record to compare it with';
  return {
    isProved: false,
    findings: [...old, tell(`The kill rate is UNPROVED, as the signer tells it: ${why}.`)],
  };
}

function tell(sentence: string): CertificateFinding {
  return notice('selftest', 'selftest', sentence);
}
