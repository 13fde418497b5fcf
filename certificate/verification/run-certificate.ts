import {
  type Exchange,
  type Report,
  type RunReport,
  readExchanges,
  readRunRecord,
  renderExchanges,
  renderRunRecord,
  rerun,
} from '../../conformance/index.ts';
import { type Contract, type JsonObject, isJsonObject, hasCode } from '../../contract/index.ts';
import type { CertificateParts } from '../predicate/compose-certificate.ts';
import type {
  CertifiedTarget,
  Predicate,
  SelftestRecord,
  SubjectKind,
  Suite,
} from '../predicate/predicate.ts';
import type { Recomputed } from './recomputation.ts';
import { claimReport } from '../predicate/report-claims.ts';

export interface ReportFacts {
  readonly kind: SubjectKind;
  readonly target: CertifiedTarget;
  readonly suite: Suite;
  readonly selftest: SelftestRecord | undefined;
  readonly configuration: JsonObject;
}

export function describeReport(
  report: Report,
  { selftest, ...facts }: ReportFacts,
): CertificateParts {
  return {
    ...facts,
    selftest: selftest ?? null,
    ...claimReport(report),
    entries: renderExchanges(report.exchanges).filter(isJsonObject),
  };
}

/** The parts of a certificate about a run of the suite against a server. */
export function describeRun(
  report: RunReport,
  {
    target,
    ...about
  }: Pick<ReportFacts, 'suite' | 'selftest'> & {
    readonly target: Omit<CertifiedTarget, 'baseUrl'>;
  },
): CertificateParts {
  return describeReport(report, {
    kind: 'server',
    target: { ...target, baseUrl: report.target.baseUrl },
    configuration: renderRunRecord(report.record),
    ...about,
  });
}

/** Runs the suite again over the log of a certificate: the same checks, no network. */
export async function recomputeRun(
  contract: Contract,
  predicate: Pick<Predicate, 'configuration' | 'log'>,
): Promise<Recomputed> {
  return (await rerunLog(contract, predicate)).recomputed;
}

/** As `recomputeRun`, with the report that came of it; undefined where there is none. */
export async function rerunLog(
  contract: Contract,
  predicate: Pick<Predicate, 'configuration' | 'log'>,
): Promise<{ readonly recomputed: Recomputed; readonly report: RunReport | undefined }> {
  let found: RunReport | undefined;
  const recomputed = await recomputeWith(
    predicate,
    readRunRecord,
    async (record, exchanges): Promise<Recomputed> => {
      if (record.saved.length > 0)
        return {
          kind: 'unreadable',
          part: 'configuration',
          reason: 'it was run with saved counterexamples, which are not part of the suite.',
        };
      const { report, departures } = await rerun(contract, record, exchanges);
      found = report;
      return {
        kind: 'recomputed',
        claims: report === undefined ? undefined : claimReport(report),
        baseUrl: record.baseUrl,
        departures: departures.map(({ exchange, sentence }) => ({ at: exchange, sentence })),
      };
    },
  );
  return { recomputed, report: found };
}

/** `readRecord` throws `PetstoreError` for a configuration of no form. */
export async function recomputeWith<Saved>(
  { configuration, log }: Pick<Predicate, 'configuration' | 'log'>,
  readRecord: (configuration: JsonObject) => Saved,
  again: (record: Saved, exchanges: readonly Exchange[]) => Promise<Recomputed>,
): Promise<Recomputed> {
  const record = tryRead('configuration', () => readRecord(configuration));
  if (record.kind === 'unreadable') return record;
  const exchanges = tryRead('log', () => readExchanges(log.entries.map(({ entry }) => entry)));
  return exchanges.kind === 'unreadable' ? exchanges : await again(record.value, exchanges.value);
}

type Unreadable = Extract<Recomputed, { readonly kind: 'unreadable' }>;

function tryRead<Value>(
  part: Unreadable['part'],
  read: () => Value,
): { readonly kind: 'read'; readonly value: Value } | Unreadable {
  try {
    return { kind: 'read', value: read() };
  } catch (error) {
    if (!hasCode(error, 'shape')) throw error;
    return { kind: 'unreadable', part, reason: `${error.message}.` };
  }
}
