import { LogError, type RunReport, readExchanges, readRunRecord, renderExchanges, renderRunRecord, rerun } from '../conformance/index.ts';
import { type Contract, isJsonObject } from '../contract/index.ts';
import type { CertificateParts } from './compose-certificate.ts';
import type { CertifiedTarget, Predicate, SelftestRecord, Suite } from './predicate.ts';
import type { Recomputed } from './recomputation.ts';
import { claimReport } from './report-claims.ts';

/** The parts of a certificate about a run of the suite against a server. */
export function describeRun(report: RunReport, about: { readonly target: Omit<CertifiedTarget, 'baseUrl'>; readonly suite: Suite; readonly selftest: SelftestRecord | undefined }): CertificateParts {
  return {
    kind: 'server',
    target: { ...about.target, baseUrl: report.target.baseUrl },
    suite: about.suite,
    selftest: about.selftest ?? null,
    configuration: renderRunRecord(report.record),
    ...claimReport(report),
    entries: renderExchanges(report.exchanges).filter(isJsonObject),
  };
}

/** Runs the suite again over the log of a certificate: with the same checks, and without a network. */
export async function recomputeRun(contract: Contract, { configuration, log }: Predicate): Promise<Recomputed> {
  const record = tryRead('configuration', () => readRunRecord(configuration));
  if (record.kind === 'unreadable') return record;
  const exchanges = tryRead('log', () => readExchanges(log.entries.map(({ entry }) => entry)));
  if (exchanges.kind === 'unreadable') return exchanges;
  if (record.value.kept.length > 0) return { kind: 'unreadable', part: 'configuration', reason: 'it was run with kept counterexamples, whose requests say themselves what they are to prove.' };
  const { report, departures } = await rerun(contract, record.value, exchanges.value);
  return {
    kind: 'recomputed',
    claims: report === undefined ? undefined : claimReport(report),
    baseUrl: record.value.baseUrl,
    departures: departures.map(({ exchange, sentence }) => ({ at: exchange, sentence })),
  };
}

type Unreadable = Extract<Recomputed, { readonly kind: 'unreadable' }>;

/** What reading a part of a certificate gives, or why it cannot be read. */
export function tryRead<Value>(part: Unreadable['part'], read: () => Value): { readonly kind: 'read'; readonly value: Value } | Unreadable {
  try {
    return { kind: 'read', value: read() };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    return { kind: 'unreadable', part, reason: `${error.message}.` };
  }
}
