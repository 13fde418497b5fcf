/** Decodes percent-encoding (RFC 3986 section 2.1); undefined if it is malformed or not UTF-8. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
