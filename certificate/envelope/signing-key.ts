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

/** What a key file is to hold: PKCS#8, or SubjectPublicKeyInfo (RFC 7468, sections 10 and 13). */
type PemLabel = 'PRIVATE KEY' | 'PUBLIC KEY';

function parsePem(pem: string, create: (pem: string) => KeyObject, label: PemLabel): KeyObject {
  requirePem(pem, label);
  const key = tryCreate(pem, create);
  if (key === undefined)
    throw new PetstoreError(
      'key',
      `is not a ${label.toLowerCase()} in PEM: its content is damaged`,
    );
  const kind = key.asymmetricKeyType ?? 'unknown';
  if (kind === 'ed25519') return key;
  throw new PetstoreError('key', `contains a key of the kind ${kind}; Ed25519 is expected`);
}

/**
 * Throws `PetstoreError` unless a text holds exactly one block in PEM, and of that label. Text
 * around the block is explanation (RFC 7468, section 2). Of two keys in one file readers take
 * different ones, so neither is accepted.
 */
function requirePem(text: string, wanted: PemLabel): void {
  const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,60})-----/g)].map(
    ([, name = '']) => name,
  );
  const [label, ...others] = labels;
  if (label === wanted && others.length === 0) return;
  throw new PetstoreError('key', explainPem(label, labels.length, wanted));
}

function explainPem(label: string | undefined, blocks: number, wanted: PemLabel): string {
  const name = wanted.toLowerCase();
  if (label === undefined) return `is not a ${name} in PEM`;
  if (blocks > 1) return `contains ${blocks} PEM blocks; one ${name} per file is expected`;
  if (label === 'ENCRYPTED PRIVATE KEY' && wanted === 'PRIVATE KEY')
    return 'requires a passphrase; a key without one is expected';
  const kind = /(PRIVATE|PUBLIC) KEY$/.exec(label)?.[0];
  return kind === undefined || kind === wanted
    ? `contains a "${label}"; a "${wanted}" is expected (Ed25519)`
    : `contains a ${kind.toLowerCase()}; a ${name} is expected here`;
}

function tryCreate(pem: string, create: (pem: string) => KeyObject): KeyObject | undefined {
  try {
    return create(pem);
  } catch {
    return undefined;
  }
}

function keyidOf(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }));
}
