import { trimEnd } from '../../contract/index.ts';

/**
 * The bytes of a text in Base64 (RFC 4648), of the standard or of the URL-safe alphabet, with or
 * without padding: DSSE has verifiers take both alphabets. Undefined where the text is not what an
 * encoder would have written: other characters, both alphabets at once, a length that cannot be,
 * bits left over.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const isStandard = /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  if (!isStandard && !/^[\w-]*={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const written = bytes.toString(isStandard ? 'base64' : 'base64url');
  return text === written || (stripPadding(text) === stripPadding(written) && isPaddedRightly(text))
    ? bytes
    : undefined;
}

function stripPadding(text: string): string {
  return trimEnd(text, '=');
}

/** No padding at all, or as much as fills the last group of four. */
function isPaddedRightly(text: string): boolean {
  return !text.endsWith('=') || text.length % 4 === 0;
}
