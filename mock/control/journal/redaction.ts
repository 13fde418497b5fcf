import type { Contract } from '../../../contract/index.ts';
import { shortestKey } from '../../sandbox/recorder.ts';

/** Stands in the place of a key. */
const mark = '[key]';

/** A text without the keys; the longest go first, since one may begin another. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const sought = keys
    .filter(({ length }) => length >= shortestKey)
    .toSorted((a, b) => b.length - a.length);
  return sought.reduce((shown, key) => shown.replaceAll(key, mark), text);
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
      return value.replace(/^(\s*[\w-]+\s+)?.*$/s, (_whole, scheme: string = '') => scheme + mark);
    case 'cookie':
      return value.replaceAll(/([^;=]*=)?[^;]+/g, (_whole, member: string = '') => member + mark);
    case 'x-api-key':
    case 'api-key':
    case 'x-auth-token':
    case 'x-access-token':
      return mark;
    case 'set-cookie':
      return value.replace(/=[^;]*/, `=${mark}`);
    default:
      return credentials.has(name.toLowerCase()) ? mark : withoutKeys(value, keys);
  }
}
