/**
 * What a refusal says of single members, by their names, from the places in it:
 * `name is required (at /name); age must be an integer (at /age)`.
 */
export function readFieldErrors(message: string): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const part of message.split(/[;:] /)) {
    const at = part.lastIndexOf(place);
    if (at < 0 || !part.includes(')', at)) continue;
    const text = part.slice(0, at);
    const name = unescape(part.slice(at + place.length).split(/[/)]/, 1)[0] ?? '');
    const known = errors.get(name);
    errors.set(name, known === undefined ? text : `${known}; ${text}`);
  }
  return errors;
}

const place = ' (at /';

function unescape(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
