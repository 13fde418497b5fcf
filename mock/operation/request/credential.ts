import type { Credential } from '../../../contract/index.ts';
import { type RequestHeaders, headerText } from '../../http/message.ts';
import { queryValues } from '../../http/query.ts';

/** What a request shows of a credential. */
export type Proof =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed'; readonly reason: string };

const missingProof: Proof = { kind: 'missing' };

/** Reads the key where the credential says it is sent; its scheme in any case (RFC 9110). */
export function readCredential(
  credential: Credential,
  headers: RequestHeaders,
  query: string,
): Proof {
  switch (credential.kind) {
    case 'none':
      return missingProof;
    case 'bearer':
      return readBearer(headerText(headers, 'authorization'));
    case 'api-key':
    default:
      return readApiKey(credential, headers, query);
  }
}

/** token68 (RFC 9110 section 11.2) after the scheme and one or more spaces. */
const bearerPattern = /^bearer +([\w\-.~+/]+=*) *$/i;

function readBearer(text: string | undefined): Proof {
  if (text === undefined || text.trim() === '') return missingProof;
  const key = bearerPattern.exec(text)?.[1];
  if (key !== undefined) return { kind: 'key', key };
  const isBearer = /^bearer(?:\s|$)/i.test(text);
  return {
    kind: 'malformed',
    reason: isBearer
      ? 'The bearer token is empty or has characters that a token may not have.'
      : 'The Authorization header does not use the Bearer scheme.',
  };
}

function readApiKey(
  { in: place, name }: Extract<Credential, { kind: 'api-key' }>,
  headers: RequestHeaders,
  query: string,
): Proof {
  const key =
    place === 'query'
      ? queryValues(query, name)[0]
      : place === 'header'
        ? headerText(headers, name.toLowerCase())
        : cookieValue(headerText(headers, 'cookie'), name);
  return key === undefined || key === '' ? missingProof : { kind: 'key', key };
}

/** The value of a cookie (RFC 6265 section 4.2); undefined if it is not there. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((one) => one.trimStart().startsWith(`${name}=`));
  return pair?.slice(pair.indexOf('=') + 1).trim();
}
