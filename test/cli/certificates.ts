import {
  type Certificate,
  composeCertificate,
  createKeyPair,
  parseSigningKey,
  parseVerifyingKey,
  type SigningKey,
  type Verification,
  type VerificationOptions,
  verifyCertificate,
  type VerifyingKey,
} from '../../certificate/index.ts';
import { judgeClient } from '../../cli/commands/verify.ts';
import {
  runRecord,
  type RunOptions,
  type RunReport,
  runConformance,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { openMock } from './target.ts';

export interface Party {
  readonly secret: SigningKey;
  readonly open: VerifyingKey;
}

export function createParty(): Party {
  const { privateKey, publicKey } = createKeyPair();
  return { secret: parseSigningKey(privateKey), open: parseVerifyingKey(publicKey) };
}

/** The package version, for tests that do not depend on it. */
export const sampleVersion = '1.2.3';

export function certify(
  contract: Contract,
  report: RunReport,
  ...parties: readonly Party[]
): Certificate {
  return composeCertificate(report, contract, {
    target: { name: 'Pet shop', version: '2.1' },
    version: sampleVersion,
    settings: runRecord.render(report.record),
    keys: parties.map(({ secret }) => secret),
  });
}

/** 60 requests on the Free plan, up to the limit. */
const freeRun: RunOptions = {
  plan: 'Free',
  requests: 60,
  exhaust: true,
  longestWait: 2 * 86_400_000,
};

/** A certificate of the mock, which conforms. */
export async function certifyMock(contract: Contract, party: Party): Promise<Certificate> {
  await using place = await openMock(contract);
  const target = { ...place.target, apiKey: 'demo-free' };
  const report = await runConformance(contract, target, { ...freeRun, clock: place.clock });
  return certify(contract, report, party);
}

/** Verifies a certificate like `petstore verify`. */
export function verifyWith(
  contract: Contract,
  certificate: string | Uint8Array,
  options: Partial<VerificationOptions> = {},
): Promise<Verification> {
  const bytes = typeof certificate === 'string' ? Buffer.from(certificate) : certificate;
  return verifyCertificate(bytes, {
    keys: [],
    version: sampleVersion,
    contract,
    now: Date.now(),
    judgeClient,
    ...options,
  });
}
