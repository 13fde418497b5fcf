import type { Credential } from './credential.ts';

/** The field of a request that shows a credential. */
export interface CredentialField {
  readonly in: 'header' | 'query' | 'cookie';
  /** As the document spells it; `Authorization` for the schemes of HTTP. */
  readonly name: string;
  /** Not encoded for its place. */
  readonly value: string;
}

/**
 * How a request shows a key by a credential; undefined where none is wanted. A key with a colon is
 * user and password of `basic`, another one is both.
 */
export function renderCredential(
  credential: Credential,
  key: string,
  encodeBasic = encodeUser,
): CredentialField | undefined {
  switch (credential.kind) {
    case 'none':
      return undefined;
    case 'api-key':
      return { in: credential.in, name: credential.name, value: key };
    case 'bearer':
      return authorization(`Bearer ${key}`);
    case 'basic':
      return authorization(`Basic ${encodeBasic(key)}`);
    case 'http':
    default:
      return authorization(renderHttp(credential.scheme, key));
  }
}

function authorization(value: string): CredentialField {
  return { in: 'header', name: 'Authorization', value };
}

/** Digest has parameters (RFC 7616 section 3.4), and so may others; else one token. */
function renderHttp(scheme: string, key: string): string {
  const name = scheme.slice(0, 1).toUpperCase() + scheme.slice(1);
  return scheme === 'digest'
    ? `${name} username="${key}", realm="mock", nonce="0", uri="/", response="0"`
    : `${name} ${key}`;
}

function encodeUser(key: string): string {
  const text = key.includes(':') ? key : `${key}:${key}`;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte));
  return btoa(bytes.join(''));
}
