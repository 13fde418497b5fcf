/**
 * A text as it is, or the beginning of one that is longer than so many UTF-16 code units. The
 * beginning is a copy: an engine may keep a whole text alive for a slice of it. Half of a surrogate
 * pair becomes U+FFFD.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${new TextDecoder().decode(new TextEncoder().encode(text.slice(0, most)))}...`;
}
