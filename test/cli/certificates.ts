import {
  type Certificate,
  composeCertificate,
  createKeyPair,
  describeMerged,
  describeRun,
  parseSigningKey,
  parseVerifyingKey,
  recomputeRun,
  type SelftestRecord,
  type ShardCertificate,
  type SigningKey,
  type Suite,
  type Verification,
  type VerificationOptions,
  verifyCertificate,
  type VerifyingKey,
  verifyShard,
} from '../../certificate/index.ts';
import { mergeReports, type RunOptions, runConformance } from '../../conformance/index.ts';
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

const makings = {
  target: { name: 'Pet shop', version: '2.1' },
  suite: sampleSuite,
  selftest: sampleSelftest,
};

export function certify(
  report: Parameters<typeof describeRun>[0],
  ...parties: readonly Party[]
): Certificate {
  const keys = parties.map(({ secret }) => secret);
  return composeCertificate(describeRun(report, makings), keys);
}

/** Of 60 requests on the Free plan, up to the limit. */
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
  return certify(await runConformance(contract, target, { ...freeRun, clock: place.clock }), party);
}

type Verifying = Omit<VerificationOptions, 'recompute'>;

/** What `petstore verify` verifies with, and the keys of some parties. */
export function verifyingOptions(
  { title, version, digest }: Contract,
  ...parties: readonly Party[]
): Verifying {
  return {
    keys: parties.map(({ open }) => open),
    suite: sampleSuite,
    contract: { title, version, digest },
    selftest: { server: sampleSelftest, client: undefined },
    now: Date.now(),
  };
}

/** Verifies a certificate as `petstore verify` does, with what is at hand here. */
export function verifyWith(
  contract: Contract,
  certificate: string | Uint8Array,
  options: Partial<VerificationOptions> = {},
): Promise<Verification> {
  const bytes = typeof certificate === 'string' ? Buffer.from(certificate) : certificate;
  return verifyCertificate(bytes, {
    ...verifyingOptions(contract),
    recompute: (predicate) => recomputeRun(contract, predicate),
    ...options,
  });
}

/** The certificates of three shards that fuzz one mock, each with a key of its own. */
export async function certifyShards(contract: Contract, party: Party): Promise<readonly string[]> {
  const keys = [1, 2, 3].map((index) => `free_shard-${index}`);
  await using place = await openMock(contract, { keys });
  const all: string[] = [];
  for (const [at, apiKey] of keys.entries()) {
    const shard = { index: at + 1, count: 3, suite: 'sample' };
    const options = { ...freeRun, clock: place.clock, fuzz: 144, shard };
    const report = await runConformance(contract, { ...place.target, apiKey }, options);
    all.push(certify(report, party).text);
  }
  return all;
}

/** Verifies the texts of certificates of shards. */
export async function verifyShardTexts(
  contract: Contract,
  party: Party,
  texts: readonly string[],
): Promise<readonly ShardCertificate[]> {
  const verified: ShardCertificate[] = [];
  for (const [at, text] of texts.entries()) {
    const file = { name: `shard-${at + 1}`, bytes: Buffer.from(text) };
    verified.push(await verifyShard(contract, file, verifyingOptions(contract, party)));
  }
  return verified;
}

/** The text of a certificate that cites those of the shards that hold. */
export function mergeShards(
  contract: Contract,
  signer: Party,
  given: readonly ShardCertificate[],
): string {
  const shards = given.filter((each) => each.kind === 'holds');
  const [first] = shards;
  if (first === undefined) throw new Error('There is no shard.');
  const merged = mergeReports(contract, shards, { allowMissing: true });
  const citations = shards.map(({ citation }) => citation);
  const parts = describeMerged(merged, first.report, citations, makings);
  return composeCertificate(parts, [signer.secret]).text;
}
