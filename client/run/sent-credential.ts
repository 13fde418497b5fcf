import type { CredentialUse } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { type RequestHeaders, readCredential } from '../../mock/index.ts';

export interface SentCredential {
  readonly use: CredentialUse;
  /** A secret other than the key, which no log is to hold: it may open something. */
  readonly secret: string | undefined;
}

/** What stands for a key that was not there; of no use to anyone, and worth seeing. */
const mistakes: ReadonlySet<string> = new Set(['undefined', 'null']);

/** Reads the credential of a request, by the key that its sender was given. */
export function readSentCredential(
  { operations }: Contract,
  headers: RequestHeaders,
  query: string,
  key: string,
): SentCredential {
  const credential = operations.find((each) => each.credential.kind !== 'none')?.credential;
  if (credential === undefined) return { use: 'missing', secret: undefined };
  const proof = readCredential(credential, headers, query);
  switch (proof.kind) {
    case 'missing':
      return { use: 'missing', secret: undefined };
    case 'malformed':
      return readMalformed(String(headers['authorization']));
    case 'key':
      return proof.key === key
        ? { use: 'valid', secret: undefined }
        : { use: 'invalid', secret: secretIn(proof.key) };
  }
}

/** A scheme and something: of another scheme, or no token (RFC 9110 section 11.4). */
function readMalformed(text: string): SentCredential {
  const [scheme = ''] = text.trim().split(/\s/, 1);
  const rest = text.trim().slice(scheme.length).trim();
  return {
    use: scheme.toLowerCase() === 'bearer' ? 'invalid' : 'other-scheme',
    secret: secretIn(rest === '' ? scheme : rest),
  };
}

function secretIn(text: string): string | undefined {
  return mistakes.has(text) ? undefined : text;
}
