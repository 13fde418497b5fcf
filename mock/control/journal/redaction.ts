import type { Contract } from '../../../contract/index.ts';
import { keyMark, shortestKey } from '../../sandbox/recorder.ts';

/** A text without the keys; the longest go first, since one may begin another. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const sought = keys
    .filter(({ length }) => length >= shortestKey)
    .toSorted((a, b) => b.length - a.length);
  return sought.reduce((shown, key) => shown.replaceAll(key, keyMark), text);
}

/** Names, in lower case, of the header fields that show a credential by a document. */
export function credentialFields({ operations }: Contract): ReadonlySet<string> {
  const schemes = operations.flatMap(({ security }) => security.flat());
  return new Set(
    schemes.flatMap((scheme) =>
      scheme.kind === 'api-key' && scheme.in === 'header' ? [scheme.name.toLowerCase()] : [],
    ),
  );
}

/** The value of a header field, without what is secret in it. */
export function redactField(
  name: string,
  value: string,
  credentials: ReadonlySet<string>,
  keys: readonly string[],
): string {
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization':
      return (/^\s*[\w-]+\s+/.exec(value)?.[0] ?? '') + keyMark;
    case 'cookie':
      return value.split(';').map(redactCookie).join(';');
    case 'x-api-key':
    case 'api-key':
    case 'x-auth-token':
    case 'x-access-token':
      return keyMark;
    case 'set-cookie':
      return value.replace(/=[^;]*/, `=${keyMark}`);
    default:
      return credentials.has(name.toLowerCase()) ? keyMark : withoutKeys(value, keys);
  }
}

/** A pair of `Cookie` without its value; what has no name is a value. */
function redactCookie(pair: string): string {
  return pair === '' ? '' : pair.slice(0, pair.indexOf('=') + 1) + keyMark;
}
