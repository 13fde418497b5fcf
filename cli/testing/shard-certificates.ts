import {
  composeCertificate,
  describeMerged,
  type ShardCertificate,
  type VerificationOptions,
  verifyShard,
} from '../../certificate/index.ts';
import { mergeReports, runConformance } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { certify, type Party, sampleSelftest, sampleSuite } from './certificates.ts';
import { openMock } from './target.ts';

/** What shards are verified with, as `petstore verify` does. */
export function shardOptions(
  { title, version, digest }: Contract,
  party: Party,
): Omit<VerificationOptions, 'recompute'> {
  return {
    keys: [party.open],
    suite: sampleSuite,
    contract: { title, version, digest },
    selftest: { server: sampleSelftest, client: undefined },
    now: Date.now(),
  };
}

/** The certificates of three shards that fuzz one mock, each with a key of its own. */
export async function certifyShards(contract: Contract, party: Party): Promise<readonly string[]> {
  const keys = [1, 2, 3].map((index) => `free_shard-${index}`);
  await using place = await openMock(contract, { keys });
  const all: string[] = [];
  for (const [at, apiKey] of keys.entries()) {
    const report = await runConformance(
      contract,
      { ...place.target, apiKey },
      {
        clock: place.clock,
        plan: 'Free',
        requests: 60,
        exhaust: true,
        longestWait: 2 * 86_400_000,
        fuzz: 144,
        shard: { index: at + 1, count: 3, suite: 'sample' },
      },
    );
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
  for (const [at, text] of texts.entries())
    verified.push(
      await verifyShard(
        contract,
        { name: `shard-${at + 1}`, bytes: Buffer.from(text) },
        shardOptions(contract, party),
      ),
    );
  return verified;
}

/** The text of a certificate that cites those of the shards that hold. */
export function mergeShards(
  contract: Contract,
  signer: Party,
  given: readonly ShardCertificate[],
): string {
  const shards = given.flatMap((each) => (each.kind === 'holds' ? [each] : []));
  const [first] = shards;
  if (first === undefined) throw new Error('There is no shard.');
  const merged = mergeReports(contract, shards, { allowMissing: true });
  const target = { name: 'Pet shop', version: '2.1' };
  const makings = { target, suite: sampleSuite, selftest: sampleSelftest };
  const citations = shards.map(({ citation }) => citation);
  return composeCertificate(describeMerged(merged, first.report, citations, makings), [
    signer.secret,
  ]).text;
}
