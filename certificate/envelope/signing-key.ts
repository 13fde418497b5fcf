import { PetstoreError } from '../../contract/error/petstore-error.ts';
import {
  hash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';

/** A public key: Ed25519 (RFC 8032), from SubjectPublicKeyInfo in PEM. */
export interface VerifyingKey {
  /** SHA-256, hexadecimal, of the output of `openssl pkey -pubout -outform DER`. */
  readonly keyid: string;
  readonly verify: (message: Uint8Array, signature: Uint8Array) => boolean;
}

/** A private key, from PKCS#8 in PEM, with its public key. */
export interface SigningKey extends VerifyingKey {
  readonly sign: (message: Uint8Array) => Buffer;
}

/** Creates a private key and its public key in PEM: PKCS#8 and SubjectPublicKeyInfo. */
export function createKeyPair(): Readonly<Record<'privateKey' | 'publicKey' | 'keyid', string>> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyid: keyidOf(publicKey),
  };
}

/** Throws `PetstoreError` unless it is one Ed25519 private key in PEM without a passphrase. */
export function parseSigningKey(pem: string): SigningKey {
  const key = parsePem(pem, createPrivateKey, 'PRIVATE KEY');
  return { ...verifyWith(createPublicKey(key)), sign: (message) => sign(null, message, key) };
}

/** Throws `PetstoreError` unless it is one Ed25519 public key in PEM, also for a private key. */
export function parseVerifyingKey(pem: string): VerifyingKey {
  return verifyWith(parsePem(pem, createPublicKey, 'PUBLIC KEY'));
}

function verifyWith(key: KeyObject): VerifyingKey {
  return {
    keyid: keyidOf(key),
    verify: (message, signature) => verify(null, message, key, signature),
  };
}

/**
 * Reads a file with exactly one PEM block with this label (PKCS#8 or SubjectPublicKeyInfo, RFC 7468
 * sections 10 and 13). Text around the block is allowed (section 2). A file with two keys is
 * rejected, because parsers choose different ones.
 */
function parsePem(
  pem: string,
  create: (pem: string) => KeyObject,
  label: 'PRIVATE KEY' | 'PUBLIC KEY',
): KeyObject {
  const labels = [...pem.matchAll(/-----BEGIN ([A-Z0-9 ]{1,60})-----/g)].map(([, name]) => name);
  if (labels.join() === label)
    try {
      const key = create(pem);
      if (key.asymmetricKeyType === 'ed25519') return key;
    } catch {
      // The content of the block is damaged.
    }
  throw new PetstoreError(
    'key',
    `is not an Ed25519 ${label.toLowerCase()} in PEM without a passphrase`,
  );
}

function keyidOf(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }));
}
