import {
  type Credential,
  type SecurityAlternative,
  type ShownScheme,
  isCredential,
} from '../../../contract/openapi/credential.ts';
import { type RequestHeaders, cookiePairs, headerText } from '../../http/message.ts';
import { queryValues } from '../../http/parameter-text.ts';

/** The result of reading a credential. */
export type Proof =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed'; readonly reason: string };

const missingProof: Proof = { kind: 'missing' };

/**
 * Reads any of several alternatives: the first key of the first complete alternative, else an
 * error. Credentials of the connection are assumed to be valid.
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
  const read = (scheme: ShownScheme): Proof => readCredential(scheme, headers, query);
  const proofs = security.flatMap((schemes): Proof | readonly Proof[] => {
    const wanted = schemes.filter(isCredential);
    // Of several schemes of `Authorization` one is enough, because the field occurs once (RFC
    // 9110).
    const shown = wanted.filter((scheme) => scheme.kind !== 'api-key').map(read);
    const keys = wanted.filter((scheme) => scheme.kind === 'api-key').map(read);
    const [own = keys[0]] = [...shown.filter(({ kind }) => kind === 'key'), ...shown];
    return own === undefined ? [] : ([own, ...keys].find(({ kind }) => kind !== 'key') ?? own);
  });
  return (
    proofs.find(({ kind }) => kind === 'key') ??
    proofs.find(({ kind }) => kind === 'malformed') ??
    missingProof
  );
}

/** Reads the key where the credential is sent. The scheme ignores case (RFC 9110). */
export function readCredential(
  credential: Credential,
  headers: RequestHeaders,
  query: string,
): Proof {
  if (credential.kind === 'none') return missingProof;
  if (credential.kind === 'api-key') {
    const { in: place, name } = credential;
    const key =
      place === 'query'
        ? queryValues(query, name)[0]
        : place === 'header'
          ? headerText(headers, name.toLowerCase())
          : cookiePairs(headers).find((cookie) => cookie.name === name)?.text;
    return key === undefined || key === '' ? missingProof : { kind: 'key', key };
  }
  const text = headerText(headers, 'authorization');
  if (text === undefined || text.trim() === '') return missingProof;
  if (credential.kind === 'bearer') return readBearer(text);
  return credential.kind === 'basic' ? readBasic(text) : readHttp(credential.scheme, text);
}

/** token68 (RFC 9110 section 11.2) after the scheme and one or more spaces. */
const bearerPattern = /^bearer +([\w\-.~+/]+=*) *$/i;

function readBearer(text: string): Proof {
  const key = bearerPattern.exec(text)?.[1];
  if (key !== undefined) return { kind: 'key', key };
  return malformed(
    /^bearer(?:\s|$)/i.test(text)
      ? 'The bearer token is empty or contains characters that are not allowed in a token.'
      : 'The Authorization header does not use the Bearer scheme.',
  );
}

/** The key is the user name (RFC 7617 section 2). */
function readBasic(text: string): Proof {
  const token = /^basic +([A-Za-z\d+/_-]+=*) *$/i.exec(text)?.[1];
  const pair = token === undefined ? undefined : decodeBase64(token);
  const mark = pair?.indexOf(':') ?? -1;
  if (pair !== undefined && mark > 0) return { kind: 'key', key: pair.slice(0, mark) };
  return malformed(
    /^basic(?:\s|$)/i.test(text)
      ? 'The Basic credentials must be user:password in Base64.'
      : 'The Authorization header does not use the Basic scheme.',
  );
}

function decodeBase64(text: string): string | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** One token, or parameters whose `username` is the key. Also accepts a bearer token. */
function readHttp(scheme: string, text: string): Proof {
  const [name = ''] = text.split(/\s/, 1);
  const rest = text.slice(name.length).trim();
  if (name.toLowerCase() === 'bearer') return readBearer(text);
  if (name.toLowerCase() === scheme && rest !== '')
    return { kind: 'key', key: /(?:^|[,\s])username="([^"]+)"/i.exec(rest)?.[1] ?? rest };
  return malformed(`The Authorization header does not use the scheme ${scheme}.`);
}

function malformed(reason: string): Proof {
  return { kind: 'malformed', reason };
}
