import { type Predicate, type Recomputed, type SelftestRecord, type Suite, type CertificateParts, claimReport, tryRead } from '../certificate/index.ts';
import { type ClientRecord, readClientRecord, rejudge, renderClientRecord } from '../client/index.ts';
import { type Report, readExchanges, renderExchanges } from '../conformance/index.ts';
import { type Contract, isJsonObject } from '../contract/index.ts';
import type { CertifyArguments } from './certify-arguments.ts';
import { readInventoryFor } from './bundled-seed.ts';

/** What a certificate of a client is made of, besides its report and record. */
export interface ClientCertificateFacts {
  readonly certify: CertifyArguments;
  readonly suite: Suite;
  readonly selftest: SelftestRecord | undefined;
}

/** The parts of a certificate about a client. It is reached nowhere, so it has no address. */
export function describeClient(report: Report, record: ClientRecord, { certify, suite, selftest }: ClientCertificateFacts): CertificateParts {
  return {
    kind: 'client',
    target: { name: certify.targetName, version: certify.targetVersion, baseUrl: null },
    suite,
    selftest: selftest ?? null,
    configuration: renderClientRecord(record),
    ...claimReport(report),
    entries: renderExchanges(report.exchanges).filter(isJsonObject),
  };
}

/** Plays the log of a client's certificate to the mock again, and judges it by the same rules. */
export async function recomputeClient(contract: Contract, { configuration, log }: Predicate): Promise<Recomputed> {
  const record = tryRead('configuration', () => readClientRecord(configuration));
  if (record.kind === 'unreadable') return record;
  const exchanges = tryRead('log', () => readExchanges(log.entries.map(({ entry }) => entry)));
  if (exchanges.kind === 'unreadable') return exchanges;
  const { report, departures } = await rejudge(contract, record.value, exchanges.value, await readInventoryFor(contract));
  return { kind: 'recomputed', claims: claimReport(report), baseUrl: null, departures };
}
