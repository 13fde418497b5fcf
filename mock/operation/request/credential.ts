import {
  type Credential,
  type SecurityAlternative,
  type SecurityScheme,
  isCredential,
} from '../../../contract/openapi/credential.ts';
import { type RequestHeaders, headerText } from '../../http/message.ts';
import { queryValues } from '../../http/parameter-text.ts';

/** What a request shows of a credential. */
export type Proof =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed'; readonly reason: string };

const missingProof: Proof = { kind: 'missing' };

/**
 * What a request shows of any of some alternatives: the first key of the first that is shown whole,
 * else what is wrong with one. What the connection proves is taken as given.
 */
export function readSecurity(
  security: readonly SecurityAlternative[],
  headers: RequestHeaders,
  query: string,
): Proof {
  const first = security[0]?.[0];
  const isOnly = security.length === 1 && security[0]?.length === 1;
  if (isOnly && first !== undefined && first.kind !== 'mutual-tls')
    return readCredential(first, headers, query);
  const proofs = security.flatMap((schemes) =>
    schemes.some(isCredential) ? [readAlternative(schemes, headers, query)] : [],
  );
  return (
    proofs.find(({ kind }) => kind === 'key') ??
    proofs.find(({ kind }) => kind === 'malformed') ??
    missingProof
  );
}

/** Of several schemes of `Authorization` one is enough: the field is sent once (RFC 9110). */
function readAlternative(
  schemes: readonly SecurityScheme[],
  headers: RequestHeaders,
  query: string,
): Proof {
  const wanted = schemes.filter(isCredential);
  const authorizations = wanted.filter((scheme) => scheme.kind !== 'api-key');
  const keys = wanted.filter((scheme) => scheme.kind === 'api-key');
  const read = (scheme: Credential): Proof => readCredential(scheme, headers, query);
  const shown = authorizations.map(read);
  const proofs = [
    ...(shown.length === 0 ? [] : [shown.find(({ kind }) => kind === 'key') ?? shown[0]]),
    ...keys.map(read),
  ].filter((proof) => proof !== undefined);
  return proofs.find(({ kind }) => kind !== 'key') ?? proofs[0] ?? missingProof;
}

/** Reads the key where the credential says it is sent; its scheme in any case (RFC 9110). */
export function readCredential(
  credential: Credential,
  headers: RequestHeaders,
  query: string,
): Proof {
  const authorization = headerText(headers, 'authorization');
  switch (credential.kind) {
    case 'none':
      return missingProof;
    case 'bearer':
      return readBearer(authorization);
    case 'basic':
      return readBasic(authorization);
    case 'http':
      return readHttp(credential.scheme, authorization);
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
      ? 'The bearer token is empty or contains characters that are not allowed in a token.'
      : 'The Authorization header does not use the Bearer scheme.',
  };
}

/** The key is the name of the user (RFC 7617 section 2). */
function readBasic(text: string | undefined): Proof {
  if (text === undefined || text.trim() === '') return missingProof;
  const token = /^basic +([A-Za-z\d+/_-]+=*) *$/i.exec(text)?.[1];
  const pair = token === undefined ? undefined : decodeBase64(token);
  const mark = pair?.indexOf(':') ?? -1;
  if (pair !== undefined && mark > 0) return { kind: 'key', key: pair.slice(0, mark) };
  return {
    kind: 'malformed',
    reason: /^basic(?:\s|$)/i.test(text)
      ? 'The Basic credentials must be user:password in Base64.'
      : 'The Authorization header does not use the Basic scheme.',
  };
}

function decodeBase64(text: string): string | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** One token, or parameters whose `username` is the key; a bearer token is taken as well. */
function readHttp(scheme: string, text: string | undefined): Proof {
  if (text === undefined || text.trim() === '') return missingProof;
  const [name = ''] = text.split(/\s/, 1);
  const rest = text.slice(name.length).trim();
  if (name.toLowerCase() === 'bearer') return readBearer(text);
  if (name.toLowerCase() === scheme && rest !== '')
    return { kind: 'key', key: /(?:^|[,\s])username="([^"]+)"/i.exec(rest)?.[1] ?? rest };
  return {
    kind: 'malformed',
    reason: `The Authorization header does not use the scheme ${scheme}.`,
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
function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((one) => one.trimStart().startsWith(`${name}=`));
  return pair?.slice(pair.indexOf('=') + 1).trim();
}
