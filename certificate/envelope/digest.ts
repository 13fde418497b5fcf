import { codec } from '../../contract/index.ts';

/** A SHA-256 as `hash` of `node:crypto` writes it. */
export const digest = codec.refine(
  codec.text,
  (text) => /^[0-9a-f]{64}$/.test(text),
  'a SHA-256 in hexadecimal',
);
