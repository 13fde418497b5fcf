/** A text as a header line can carry it: visible characters of Latin-1, spaces and tabs. */
export function fieldText(text: string): string {
  return /[^\t\x20-\x7E\x80-\xFF]/.test(text)
    ? text.replace(/[\r\n]+/g, ' ').replace(/[^\t\x20-\x7E\x80-\xFF]/g, '?')
    : text;
}

/** A name that a header can have: a token (RFC 9110 section 5.1). */
export function isFieldName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}
