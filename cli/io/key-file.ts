import { hasCode } from '../../contract/index.ts';
import { readFile } from 'node:fs/promises';
import {
  type SigningKey,
  type VerifyingKey,
  parseSigningKey,
  parseVerifyingKey,
} from '../../certificate/index.ts';
import { argumentError } from './command-failure.ts';

/** Reads a private key to sign with. Throws `PetstoreError`, or the system's error. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  return parseKey(file, await readFile(file, 'utf8'), parseSigningKey);
}

/** Reads a public key to verify with. Throws `PetstoreError`, or the system's error. */
export async function readVerifyingKey(file: string): Promise<VerifyingKey> {
  return parseKey(file, await readFile(file, 'utf8'), parseVerifyingKey);
}

function parseKey<Key>(file: string, pem: string, parse: (pem: string) => Key): Key {
  try {
    return parse(pem);
  } catch (error) {
    if (hasCode(error, 'key')) throw argumentError(`${file} ${error.message}.`, error);
    throw error;
  }
}
