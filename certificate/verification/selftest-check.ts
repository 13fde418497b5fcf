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
    return { isProved: false, findings: [tell('It has no self-test figures of the suite.')] };
  const known = records[subjectOf(kind)];
  const old = isSameSuite(selftest.suite, suite)
    ? []
    : [tell('Its self-test figures are from another version of the suite.')];
  if (known !== undefined && jsonEquals(known, selftest)) return { isProved: true, findings: old };
  if (known !== undefined && isSameSuite(known.suite, own) && isSameSuite(suite, own)) {
    const other = `Its self-test figures are not those of this version, which were measured on ${known.measuredAt}.`;
    return { isProved: false, findings: [breaks('selftest', 'selftest', other)] };
  }
  const isOfServers = kind === 'client' && records.server?.measuredAt === selftest.measuredAt;
  const why = isOfServers
    ? 'they are about servers, not about the rules for clients'
    : 'this version has no record to compare them with';
  return {
    isProved: false,
    findings: [...old, tell(`The self-test figures are UNVERIFIED claims of the signer: ${why}.`)],
  };
}

function tell(sentence: string): CertificateFinding {
  return notice('selftest', 'selftest', sentence);
}
