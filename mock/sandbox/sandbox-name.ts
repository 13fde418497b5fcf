/** The name of the sandbox of the fixture keys, and of everybody where no key is wanted. */
export const mainSandbox = 'main';

/**
 * The name of the sandbox of requests that lack a valid key where one is wanted: no clock that
 * somebody moves, and no fault, reaches those of others. No key opens it.
 */
export const keylessSandbox = 'no-key';

/** Not `.` or `..`, which no URL path can name (RFC 3986 section 5.2.4). */
export const sandboxNamePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

export function isSandboxName(text: string): boolean {
  return sandboxNamePattern.test(text);
}
