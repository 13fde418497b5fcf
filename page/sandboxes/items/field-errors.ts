/**
 * What a refusal says of single members, by their names, from the places in it:
 * `name is required (at /name); age must be an integer (at /age)`.
 */
export function readFieldErrors(message: string): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const [, text = '', name = ''] of message.matchAll(place)) {
    const known = errors.get(unescape(name));
    errors.set(unescape(name), known === undefined ? text : `${known}; ${text}`);
  }
  return errors;
}

const place = /(?:^|: |; )([^;:]*) \(at \/([^/)]*)[^)]*\)/g;

function unescape(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
