import {
  type Certificate,
  composeCertificate,
  createKeyPair,
  describeRun,
  parseSigningKey,
  parseVerifyingKey,
  recomputeRun,
  type SelftestRecord,
  type SigningKey,
  type Suite,
  type Verification,
  type VerificationOptions,
  verifyCertificate,
  type VerifyingKey,
} from '../../certificate/index.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { openMock } from './target.ts';

export interface Party {
  readonly secret: SigningKey;
  readonly open: VerifyingKey;
}

export function createParty(): Party {
  const { privateKey, publicKey } = createKeyPair();
  return { secret: parseSigningKey(privateKey), open: parseVerifyingKey(publicKey) };
}

/** A suite by name only: what is tested here is not its rules. */
export const sampleSuite: Suite = {
  name: 'petstore-contract',
  version: '0.1.0',
  dependencies: 'ab'.repeat(32),
  rules: 1,
};

export const sampleSelftest: SelftestRecord = {
  suite: sampleSuite,
  measuredAt: '2026-11-21T12:00:00.000Z',
  seeds: 1,
  mutants: { runs: 880, caught: 880, distinct: 880 },
  variants: { runs: 380, falseAlarms: 0, distinct: 190 },
};

export function certify(
  report: Parameters<typeof describeRun>[0],
  ...parties: readonly Party[]
): Certificate {
  return composeCertificate(
    describeRun(report, {
      target: { name: 'Pet shop', version: '2.1' },
      suite: sampleSuite,
      selftest: sampleSelftest,
    }),
    parties.map(({ secret }) => secret),
  );
}

/** A certificate of the mock, which conforms: of 60 requests on the Free plan, up to the limit. */
export async function certifyMock(contract: Contract, party: Party): Promise<Certificate> {
  await using place = await openMock(contract);
  const report = await runConformance(
    contract,
    { ...place.target, apiKey: 'demo-free' },
    { clock: place.clock, plan: 'Free', requests: 60, exhaust: true, longestWait: 2 * 86_400_000 },
  );
  return certify(report, party);
}

/** Verifies a certificate as `petstore verify` does, with what is at hand here. */
export function verifyWith(
  contract: Contract,
  certificate: string | Uint8Array,
  options: Partial<VerificationOptions> = {},
): Promise<Verification> {
  const { title, version, digest } = contract;
  return verifyCertificate(
    typeof certificate === 'string' ? Buffer.from(certificate) : certificate,
    {
      keys: [],
      suite: sampleSuite,
      contract: { title, version, digest },
      selftest: { server: sampleSelftest, client: undefined },
      now: Date.now(),
      recompute: (predicate) => recomputeRun(contract, predicate),
      ...options,
    },
  );
}
