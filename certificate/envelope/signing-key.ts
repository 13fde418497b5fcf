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

/** A key that verifies: Ed25519 (RFC 8032), from SubjectPublicKeyInfo in PEM. */
export interface VerifyingKey {
  /** SHA-256, hexadecimal, of the output of `openssl pkey -pubout -outform DER`. */
  readonly keyid: string;
  readonly verify: (message: Uint8Array, signature: Uint8Array) => boolean;
}

/** A key that signs, from PKCS#8 in PEM, with its public half. */
export interface SigningKey extends VerifyingKey {
  readonly sign: (message: Uint8Array) => Buffer;
}

/** A new key and its public half, both in PEM: PKCS#8 and SubjectPublicKeyInfo. */
export function createKeyPair(): Readonly<Record<'privateKey' | 'publicKey' | 'keyid', string>> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyid: keyidOf(publicKey),
  };
}

/** Throws `PetstoreError` for anything but one Ed25519 private key in PEM without a passphrase. */
export function parseSigningKey(pem: string): SigningKey {
  const key = parsePem(pem, createPrivateKey, 'PRIVATE KEY');
  return { ...verifyWith(createPublicKey(key)), sign: (message) => sign(null, message, key) };
}

/** Throws `PetstoreError` for anything but one Ed25519 public key in PEM; so for a private key. */
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
 * Reads what holds exactly one block in PEM, and of that label (PKCS#8 or SubjectPublicKeyInfo, RFC 7468
 * sections 10 and 13). Text around the block is explanation (section 2). Of two keys in one file readers
 * take different ones, so neither is accepted.
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
      // Its content is damaged.
    }
  throw new PetstoreError(
    'key',
    `is not a ${label.toLowerCase()} in PEM: one is expected, of Ed25519, without a passphrase`,
  );
}

function keyidOf(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }));
}
