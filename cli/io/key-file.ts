import { readFile } from 'node:fs/promises';
import {
  KeyError,
  type SigningKey,
  type VerifyingKey,
  parseSigningKey,
  parseVerifyingKey,
} from '../../certificate/index.ts';
import { ArgumentError } from './argument.ts';

/** Reads a private key to sign with. Throws `ArgumentError`, or the system's error. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  return parseKey(file, await readFile(file, 'utf8'), parseSigningKey);
}

/** Reads a public key to verify with. Throws `ArgumentError`, or the system's error. */
export async function readVerifyingKey(file: string): Promise<VerifyingKey> {
  return parseKey(file, await readFile(file, 'utf8'), parseVerifyingKey);
}

function parseKey<Key>(file: string, pem: string, parse: (pem: string) => Key): Key {
  try {
    return parse(pem);
  } catch (error) {
    if (error instanceof KeyError)
      throw new ArgumentError(`${file} ${error.message}.`, { cause: error });
    throw error;
  }
}
