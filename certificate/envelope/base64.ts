/**
 * Decodes Base64 (RFC 4648), with the standard or the URL-safe alphabet, with or without padding:
 * DSSE requires verifiers to accept both alphabets. Undefined for text that no encoder would write:
 * other characters, mixed alphabets, an impossible length, or non-zero unused bits.
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

/** Whether the last, incomplete group is what an encoder would write. Decodes only that group. */
function isWhole(last: string, isStandard: boolean): boolean {
  const written = Buffer.from(last, 'base64').toString(isStandard ? 'base64' : 'base64url');
  return written.startsWith(last) && written.length - last.length <= 2;
}
