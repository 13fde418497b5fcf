/** The sandbox of the fixture keys, and of all requests if no key is required. */
export const mainSandbox = 'main';

/**
 * The sandbox of requests without a valid key if one is required, so that clocks and faults of other
 * sandboxes do not affect them. No key opens it.
 */
export const keylessSandbox = 'no-key';

/** Not `.` or `..`, which no URL path can name (RFC 3986 section 5.2.4). */
export const sandboxNamePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;
