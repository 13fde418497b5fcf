import {
  type Certificate,
  type ShardCertificate,
  composeCertificate,
  describeMerged,
  nameTarget,
} from '../../../certificate/index.ts';
import type { Report } from '../../../conformance/index.ts';
import { type Contract, PetstoreError } from '../../../contract/index.ts';
import type { CertifyArguments } from '../../io/certify-flags.ts';
import { readMakings } from '../../io/write-certificate.ts';
import { readSuite } from '../../package/suite.ts';
import { verifyShards } from '../verify/shards.ts';

/** The certificate of a shard, verified. */
export type HoldingShard = Extract<ShardCertificate, { readonly kind: 'holds' }>;

/**
 * Verifies the certificates of shards, so that none is cited that does not hold, or is of another
 * target than the one to be certified.
 * @throws {PetstoreError} with code `merge` for the first that is not shown to hold, or of another
 */
export async function readShardCertificates(
  contract: Contract,
  paths: readonly string[],
  { targetName, targetVersion }: Pick<CertifyArguments, 'targetName' | 'targetVersion'>,
): Promise<readonly HoldingShard[]> {
  const wanted = { name: targetName, version: targetVersion };
  const { title, version, digest } = contract;
  const shards = await verifyShards(contract, paths, {
    keys: [],
    suite: await readSuite(),
    contract: { title, version, digest },
    selftest: { server: undefined, client: undefined },
    now: Date.now(),
  });
  return shards.map((shard) => {
    if (shard.kind === 'holds') {
      const { target } = shard;
      if (target.name === wanted.name && target.version === wanted.version) return shard;
      const of = `${shard.name} is of the target ${nameTarget(target)}`;
      const remedy = '--target-name and --target-version have to say the same as in the shards.';
      throw new PetstoreError('merge', `${of}, not of ${nameTarget(wanted)}: ${remedy}`);
    }
    const why = shard.kind === 'broken' ? 'does not hold' : 'cannot be verified here';
    throw new PetstoreError('merge', `${shard.name} ${why}, and is not cited: ${shard.sentence}`);
  });
}

/** Opens what a merged certificate is made with, before the shards are read. Throws `PetstoreError`. */
export async function openMergedCertifier(
  certify: CertifyArguments,
): Promise<(merged: Report, shards: readonly HoldingShard[]) => Certificate> {
  const { targetName: name, targetVersion: version } = certify;
  const { suite, selftest, keys } = await readMakings(certify, 'server');
  return (merged, shards) => {
    const ordered = shards.toSorted((one, other) => one.citation.shard - other.citation.shard);
    const [first] = ordered;
    const citations = ordered.map(({ citation }) => citation);
    const makings = { target: { name, version }, suite, selftest };
    return composeCertificate(
      describeMerged(merged, first?.report ?? merged, citations, makings),
      keys,
    );
  };
}
