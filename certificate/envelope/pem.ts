import { PetstoreError } from '../../contract/index.ts';

/** What a key file is to hold: PKCS#8, or SubjectPublicKeyInfo (RFC 7468, sections 10 and 13). */
export type PemLabel = 'PRIVATE KEY' | 'PUBLIC KEY';

/**
 * Throws `PetstoreError` unless a text holds exactly one block in PEM, and of that label. Text
 * around the block is explanation (RFC 7468, section 2). Of two keys in one file readers take
 * different ones, so neither is taken.
 */
export function requirePem(text: string, wanted: PemLabel): void {
  const labels = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,60})-----/g)].map(
    ([, label = '']) => label,
  );
  const [label, ...others] = labels;
  const name = wanted.toLowerCase();
  if (label === undefined) throw new PetstoreError('key', `is not a ${name} in PEM`);
  if (others.length > 0)
    throw new PetstoreError(
      'key',
      `contains ${labels.length} PEM blocks; one ${name} per file is expected`,
    );
  if (label === wanted) return;
  if (wanted === 'PUBLIC KEY' && label.endsWith('PRIVATE KEY'))
    throw new PetstoreError('key', 'contains a private key; a public key is expected here');
  if (wanted === 'PRIVATE KEY' && label.endsWith('PUBLIC KEY'))
    throw new PetstoreError('key', 'contains a public key; a private key is expected here');
  if (label === 'ENCRYPTED PRIVATE KEY')
    throw new PetstoreError('key', 'requires a passphrase; a key without one is expected');
  throw new PetstoreError('key', `contains a "${label}"; a "${wanted}" is expected (Ed25519)`);
}
