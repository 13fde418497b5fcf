/**
 * The bytes of a text in Base64 (RFC 4648), of the standard or of the URL-safe alphabet, with or
 * without padding: DSSE has verifiers take both alphabets. Undefined where the text is not what an
 * encoder would have written: other characters, both alphabets at once, a length that cannot be,
 * bits left over.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const isStandard = /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  if (!isStandard && !/^[\w-]*={0,2}$/.test(text)) return undefined;
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  if (padding > 0 && text.length % 4 > 0) return undefined;
  const end = text.length - padding;
  const last = text.slice(end - (end % 4), end);
  return isWhole(last, isStandard) ? Buffer.from(text, 'base64') : undefined;
}

/** Whether an encoder writes the characters of a last group that is not full. Nothing is copied but them. */
function isWhole(last: string, isStandard: boolean): boolean {
  const written = Buffer.from(last, 'base64').toString(isStandard ? 'base64' : 'base64url');
  return written.startsWith(last) && written.length - last.length <= 2;
}
