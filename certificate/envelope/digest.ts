import { createHash } from 'node:crypto';
import { codec } from '../../contract/index.ts';

/** SHA-256 of a text in UTF-8 or of bytes, hexadecimal in small letters. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Such a digest in JSON. */
export const digest = codec.refine(
  codec.text,
  (text) => /^[0-9a-f]{64}$/.test(text),
  'a SHA-256 in hexadecimal',
);
