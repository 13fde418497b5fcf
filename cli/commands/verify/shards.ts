import {
  type ShardCertificate,
  type VerificationOptions,
  verifyShard,
} from '../../../certificate/index.ts';
import { certificateLimits } from '../../../limits/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { readBounded } from '../../input/bounded-file.ts';
import { findInputs } from './input-files.ts';

/**
 * Verifies the certificates of shards that paths stand for, one after the other. Throws
 * `PetstoreError` for a file that is too long, or the system's error.
 */
export async function verifyShards(
  contract: Contract,
  paths: readonly string[],
  options: Omit<VerificationOptions, 'recompute'>,
): Promise<readonly ShardCertificate[]> {
  const verified: ShardCertificate[] = [];
  for (const name of await findInputs(paths, 'certificate.json')) {
    const bytes = await readBounded(name, certificateLimits.fileBytes);
    verified.push(await verifyShard(contract, { name, bytes }, options));
  }
  return verified;
}
