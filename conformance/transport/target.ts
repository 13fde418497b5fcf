import { type Contract, type Operation, PetstoreError } from '../../contract/index.ts';
import type { CredentialUse } from './exchange.ts';

/** The server to judge. */
export interface Target {
  /** Base address with version, without a slash at its end: `http://127.0.0.1:4010/v1`. */
  readonly baseUrl: string;
  /** The API key; undefined where the service wants none. */
  readonly apiKey: string | undefined;
}

/**
 * Reads a base address.
 * @throws {PetstoreError} if it is no absolute http or https URL, or has a query or fragment
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const refusal = (reason: string): PetstoreError =>
    new PetstoreError('target', `"${text}" is no base address: it ${reason}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refusal('has to be an http or https URL such as http://127.0.0.1:4010/v1');
  if (url.search || url.hash) throw refusal('must not have a query or a fragment');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The header, if any, that carries a credential; nearly right keys are made from the key. */
export function credentialHeader(
  operation: Operation,
  key: string | undefined,
  use: CredentialUse,
): readonly [string, string] | undefined {
  const { credential } = operation;
  if (credential.kind === 'none' || use === 'missing' || key === undefined) return undefined;
  const token = alterKey(key, use);
  if (credential.kind === 'bearer') {
    return ['authorization', use === 'other-scheme' ? `Basic ${token}` : `Bearer ${token}`];
  }
  if (credential.in === 'header') return [credential.name.toLowerCase(), token];
  return credential.in === 'cookie' ? ['cookie', `${credential.name}=${token}`] : undefined;
}

/** Makes a key that is wrong in the given way out of the right one. */
export function alterKey(key: string, use: CredentialUse): string {
  switch (use) {
    case 'invalid':
      return `no-such-key-${key.length}`;
    case 'cut':
      return key.slice(0, -1);
    case 'longer':
      return `${key}x`;
    case 'other-case':
      return swapCase(key);
    case 'valid':
    case 'missing':
    case 'other-scheme':
      return key;
  }
}

/** Which near misses a key allows: some have no letters or a single character. */
export function nearMisses(key: string): readonly CredentialUse[] {
  const uses: CredentialUse[] = key.length > 1 ? ['cut', 'longer'] : ['longer'];
  return swapCase(key) === key ? uses : [...uses, 'other-case'];
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** The operation of that id. */
export function operationOf(contract: Contract, id: string): Operation | undefined {
  return contract.operations.find((operation) => operation.id === id);
}
