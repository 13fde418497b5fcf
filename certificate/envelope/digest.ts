import { createHash } from 'node:crypto';

/** SHA-256 of a text in UTF-8 or of bytes, hexadecimal in small letters. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Whether a text has the form of such a digest. */
export function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
