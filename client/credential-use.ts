import type { CredentialUse } from '../conformance/index.ts';
import type { Contract } from '../contract/index.ts';
import { type RequestHeaders, readCredential } from '../mock/index.ts';

/** Which credential a request carried where the document wants it, by the key that its sender was given. */
export function readCredentialUse({ operations }: Contract, headers: RequestHeaders, query: string, key: string): CredentialUse {
  const credential = operations.map((operation) => operation.credential).find(({ kind }) => kind !== 'none');
  if (credential === undefined) return 'missing';
  const proof = readCredential(credential, headers, query);
  switch (proof.kind) {
    case 'missing': return 'missing';
    case 'malformed': return /^bearer\b/i.test(String(headers['authorization'])) ? 'invalid' : 'other-scheme';
    case 'key': return proof.key === key ? 'valid' : 'invalid';
  }
}
