import {
  type ShardCertificate,
  type VerificationOptions,
  verifyShard,
} from '../../../certificate/index.ts';
import { certificateLimits } from '../../../limits/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { readBytes } from '../../input/file.ts';
import { argumentError } from '../../io/command-failure.ts';
import { findInputs } from '../../input/find.ts';

/**
 * Verifies the certificates of shards that paths stand for, one after the other. Throws
 * `PetstoreError` for a file that is too large, or the system's error.
 */
export async function verifyShards(
  contract: Contract,
  paths: readonly string[],
  options: Omit<VerificationOptions, 'recompute'>,
): Promise<readonly ShardCertificate[]> {
  const verified: ShardCertificate[] = [];
  const { most } = certificateLimits.shardBytes;
  let together = 0;
  for (const name of await findInputs(paths, 'certificate.json')) {
    const bytes = await readBytes(name, certificateLimits.fileBytes);
    together += bytes.length;
    if (together > most)
      throw argumentError(
        `The certificates of the shards are too large: up to ${name} they have ${together.toLocaleString('en')} bytes together, and at most ${most.toLocaleString('en')} are read.`,
      );
    verified.push(await verifyShard(contract, { name, bytes }, options));
  }
  return verified;
}
