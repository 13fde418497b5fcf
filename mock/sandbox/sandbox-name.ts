import { hashText } from '../../contract/index.ts';

/** The name of the sandbox of the fixture keys, and of everybody where no key is wanted. */
export const mainSandbox = 'main';

/**
 * The name of the sandbox of requests that lack a valid key where one is wanted: no clock that
 * somebody moves, and no fault, reaches those of others. No key opens it.
 */
export const keylessSandbox = 'no-key';

/** A name of a sandbox. Not `.` or `..`, which no URL path can name (RFC 3986 section 5.2.4). */
export function isSandboxName(text: string): boolean {
  return /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** The name of the sandbox of a key: the key itself where it can be one, else a digest of it. */
export function sandboxOfKey(key: string): string {
  if (isSandboxName(key)) return key;
  const digest = [hashText(key), hashText(`${key}.`)];
  return `key-${digest.map((part) => part.toString(16).padStart(8, '0')).join('')}`;
}
