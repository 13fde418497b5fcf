import { readFile, stat } from 'node:fs/promises';
import {
  type ShardCertificate,
  type VerificationOptions,
  verifyShard,
} from '../../../certificate/index.ts';
import { certificateLimits } from '../../../limits/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { argumentError } from '../../io/command-failure.ts';
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
    const { size } = await stat(name);
    if (size > certificateLimits.fileBytes.most)
      throw argumentError(
        `${name} has ${size} bytes; more than ${certificateLimits.fileBytes.most} are not read.`,
      );
    verified.push(await verifyShard(contract, { name, bytes: await readFile(name) }, options));
  }
  return verified;
}
