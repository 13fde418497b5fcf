import { hasCode } from '../../contract/index.ts';
import {
  type SigningKey,
  type VerifyingKey,
  parseSigningKey,
  parseVerifyingKey,
} from '../../certificate/index.ts';
import { certificateLimits } from '../../contract/limits/index.ts';
import { argumentError } from './command-failure.ts';
import { readInput } from './file.ts';

/** Reads a private key to sign with. Throws `PetstoreError`, or the system's error. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  return await readKey(file, parseSigningKey);
}

/** Reads a public key to verify with. Throws `PetstoreError`, or the system's error. */
export async function readVerifyingKey(file: string): Promise<VerifyingKey> {
  return await readKey(file, parseVerifyingKey);
}

async function readKey<Key>(file: string, parse: (pem: string) => Key): Promise<Key> {
  const pem = await readInput(file, certificateLimits.keyFileBytes);
  try {
    return parse(pem);
  } catch (error) {
    if (hasCode(error, 'key')) throw argumentError(`${file} ${error.message}.`, error);
    throw error;
  }
}
