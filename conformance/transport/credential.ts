import {
  type CredentialField,
  isCredential,
  renderCredential,
} from '../../contract/openapi/credential.ts';
import type { Operation } from '../../contract/openapi/operation.ts';

/**
 * The parts that credentials are made of: derived from the key when they are sent, or shell
 * expressions for a printed curl line.
 */
export interface KeyParts {
  readonly key: string;
  /** Without its last character. */
  readonly cut: string;
  /** With upper and lower case swapped. */
  readonly swapped: string;
  /** Up to its first underscore. */
  readonly head: string;
  /** Its number of characters. */
  readonly length: string;
}

interface UseOfCredential {
  /** What is wrong with it: a sentence without its full stop. */
  readonly way: string;
  /** What is sent, in words that follow "with". */
  readonly words: string;
  /** The document does not say how it is answered: any response but a 5xx is valid. */
  readonly isUnspecified?: true;
  /** It is not valid HTTP: a proxy may refuse it before the API sees it. */
  readonly breaksHttp?: true;
  /** Sent in place of the key. Default: the key. */
  readonly token?: (parts: KeyParts) => string;
  /** The `Authorization` headers in place of one with a bearer token. */
  readonly authorization?: (parts: KeyParts) => readonly string[];
}

/** All ways to use a credential. Everything about one is in its row. */
export const credentialUses = {
  valid: { way: 'the key is right', words: 'the key' },
  missing: { way: 'the key is missing', words: 'no key' },
  invalid: {
    way: 'the key is made up',
    words: 'a made-up key',
    token: madeUpKey,
  },
  'inherited-name': {
    way: 'the key is a name that every JavaScript object has',
    words: 'the key `constructor`',
    token: () => 'constructor',
  },
  'other-scheme': {
    way: 'the key is sent as Basic',
    words: 'the key as Basic',
    authorization: ({ key }) => [`Basic ${key}`],
  },
  cut: {
    way: 'the last character of the key is missing',
    words: 'the key without its last character',
    token: ({ cut }) => cut,
  },
  longer: {
    way: 'the key has an extra character',
    words: 'the key plus one character',
    token: ({ key }) => `${key}x`,
  },
  'other-case': {
    way: 'the letters of the key change case',
    words: 'the key in another case',
    token: ({ swapped }) => swapped,
  },
  nameless: {
    way: 'the key ends before its name',
    words: 'the key without its name',
    token: ({ head }) => head,
  },
  marked: {
    way: 'the key has an extra `~`',
    words: 'the key plus a `~`',
    token: ({ key }) => `${key}~`,
  },
  'non-ascii': {
    way: 'the key has an extra non-ASCII letter',
    words: 'the key and a letter beyond ASCII',
    isUnspecified: true,
    token: ({ key }) => `${key}é`,
  },
  'token-scheme': {
    way: 'the key is sent as Token',
    words: 'the key under Token',
    authorization: ({ key }) => [`Token ${key}`],
  },
  'no-scheme': {
    way: 'the key is sent without a scheme',
    words: 'the key without a scheme',
    authorization: ({ key }) => [key],
  },
  'no-token': {
    way: 'the scheme is sent without a key',
    words: 'Bearer and no key',
    authorization: () => ['Bearer'],
  },
  'further-word': {
    way: 'another word follows the key',
    words: 'the key and another word',
    authorization: ({ key }) => [`Bearer ${key} more`],
  },
  'word-before': {
    way: 'another word precedes the scheme',
    words: 'another word before the scheme',
    authorization: ({ key }) => [`x Bearer ${key}`],
  },
  'no-space': {
    way: 'there is no space between scheme and key',
    words: 'the key right behind its scheme',
    authorization: ({ key }) => [`Bearer${key}`],
  },
  twice: {
    way: 'the key is sent twice, once wrong',
    words: 'the key and a made-up one',
    isUnspecified: true,
    // RFC 9110 section 5.3: a field that is not a list is sent once.
    breaksHttp: true,
    authorization: (parts) => [`Bearer ${parts.key}`, `Bearer ${madeUpKey(parts)}`],
  },
} as const satisfies Readonly<Record<string, UseOfCredential>>;

/** The credential of a request. */
export type CredentialUse = keyof typeof credentialUses;

/** All uses, in the order of the table. */
export function listCredentialUses(): readonly CredentialUse[] {
  return Object.keys(credentialUses).filter((id): id is CredentialUse =>
    Object.hasOwn(credentialUses, id),
  );
}

/** The row of a use. */
export function describeUse(use: CredentialUse): UseOfCredential {
  return credentialUses[use];
}

function madeUpKey({ length }: KeyParts): string {
  return `invalid-key-${length}`;
}

/**
 * The fields that carry a credential, for every scheme of the first alternative that the operation
 * accepts. `encodeBasic` encodes user and password for `basic`.
 */
export function listCredentialFields(
  { security }: Operation,
  parts: KeyParts,
  use: CredentialUse,
  encodeBasic?: (token: string) => string,
): readonly CredentialField[] {
  if (use === 'missing') return [];
  const { token, authorization } = describeUse(use);
  return (security[0] ?? []).filter(isCredential).flatMap((credential) => {
    if (credential.kind === 'bearer' && authorization !== undefined)
      return authorization(parts).map((value) => ({ in: 'header', name: 'Authorization', value }));
    return renderCredential(credential, token?.(parts) ?? parts.key, encodeBasic) ?? [];
  });
}

/** The parts of a request that a credential is added to. */
interface Unkeyed {
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly credential: CredentialUse;
}

/**
 * The target and the headers of a request with its credential, near misses derived from the key.
 * All cookies are in one header, the last (RFC 6265 section 5.4).
 */
export function withCredential(
  operation: Operation,
  { target, headers, credential }: Unkeyed,
  key: string | undefined,
): Pick<Unkeyed, 'target' | 'headers'> {
  const fields = key === undefined ? [] : listCredentialFields(operation, partsOf(key), credential);
  const { query = [], header = [], cookie = [] } = Object.groupBy(fields, (field) => field.in);
  const pairs = query.map(({ name, value }) => `${encodeQuery(name)}=${encodeQuery(value)}`);
  const open = /[?&]$/.test(target) ? '' : target.includes('?') ? '&' : '?';
  const cookies = [
    ...headers.filter(isCookie).map(([, value]) => value),
    ...cookie.map(({ name, value }) => `${name}=${value}`),
  ].join('; ');
  return {
    target: pairs.length === 0 ? target : target + open + pairs.join('&'),
    headers: [
      ...headers.filter((field) => !isCookie(field)),
      ...header.map(({ name, value }) => [name.toLowerCase(), value] as const),
      ...(cookies === '' ? [] : [['cookie', cookies] as const]),
    ],
  };
}

function isCookie([name]: Unkeyed['headers'][number]): boolean {
  return name === 'cookie';
}

/** As `curl --url-query` does it: all but unreserved characters (RFC 3986 section 2.3), a space as `+`. */
export function encodeQuery(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');
  return encoded.replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Derives a key that is wrong in the given way from the right one. */
export function alterKey(key: string, use: CredentialUse): string {
  return describeUse(use).token?.(partsOf(key)) ?? key;
}

function partsOf(key: string): KeyParts {
  return {
    key,
    cut: key.slice(0, -1),
    swapped: swapCase(key),
    head: key.slice(0, key.indexOf('_') + 1),
    length: String(key.length),
  };
}

/**
 * A key that contains a chosen name, as on a mock: `free_alice`. Then `free_alic` and `free_alicex`
 * may be the keys of others.
 */
const named = /^[a-z][a-z0-9-]*_[a-z0-9._-]{1,24}$/i;

/**
 * The near misses that a key allows and that cannot be somebody else's key. Some keys have no
 * letters, or a single character. For `plan_name`, a name with one character more or less may be
 * another key, so only a missing name, or one with `~`, is used.
 */
export function nearMisses(key: string): readonly CredentialUse[] {
  if (named.test(key)) return ['nameless', 'marked', 'other-case'];
  const uses: CredentialUse[] = key.length > 1 ? ['cut', 'longer'] : ['longer'];
  return swapCase(key) === key ? uses : [...uses, 'other-case'];
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
