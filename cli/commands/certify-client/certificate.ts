import {
  type CertificateParts,
  type Predicate,
  type Recomputed,
  claimReport,
  describeReport,
  recomputeWith,
} from '../../../certificate/index.ts';
import {
  type ClientRecord,
  type Inventory,
  readClientRecord,
  rejudge,
  renderClientRecord,
} from '../../../client/index.ts';
import type { Report } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import type { Makings } from '../../io/write-certificate.ts';

/** The parts of a certificate about a client. It is reached nowhere, so it has no address. */
export function describeClient(
  report: Report,
  record: ClientRecord,
  { target, suite, selftest }: Makings,
): CertificateParts {
  return describeReport(report, {
    kind: 'client',
    target: { ...target, baseUrl: null },
    suite,
    selftest,
    configuration: renderClientRecord(record),
  });
}

/** Plays the log of a client's certificate to the mock again, and judges it by the same rules. */
export function recomputeClient(
  contract: Contract,
  predicate: Pick<Predicate, 'configuration' | 'log'>,
  inventory: Inventory,
): Promise<Recomputed> {
  return recomputeWith(predicate, readClientRecord, async (record, exchanges) => {
    const { report, departures } = await rejudge(contract, record, exchanges, inventory);
    return { kind: 'recomputed', claims: claimReport(report), baseUrl: null, departures };
  });
}
