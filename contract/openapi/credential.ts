import { isFieldName, isFieldValue } from './header.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';

const keyPlaces = ['header', 'query', 'cookie'] as const;

/** A security scheme of the document, as visible in requests. */
export type SecurityScheme =
  /** `Authorization: Bearer <key>` (RFC 6750 section 2.1); also OAuth 2 and OpenID Connect. */
  | { readonly kind: 'bearer'; readonly pointer: string }
  /** `Authorization: Basic <base64 of user:password>` (RFC 7617). */
  | { readonly kind: 'basic'; readonly pointer: string }
  /** Another scheme of `Authorization`, lower case: `digest`. */
  | { readonly kind: 'http'; readonly scheme: string; readonly pointer: string }
  | {
      readonly kind: 'api-key';
      readonly in: (typeof keyPlaces)[number];
      readonly name: string;
      readonly pointer: string;
    }
  /** Proved by the connection (`mutualTLS`); invisible in requests. */
  | { readonly kind: 'mutual-tls'; readonly pointer: string };

/** A scheme that requests can show. */
export type ShownScheme = Exclude<SecurityScheme, { readonly kind: 'mutual-tls' }>;

/** How a client authenticates. */
export type Credential = { readonly kind: 'none' } | ShownScheme;

/** Schemes that a request must show together; empty: none are needed. */
export type SecurityAlternative = readonly SecurityScheme[];

/** What an operation requires of its clients. */
export interface Security {
  /**
   * One of these is enough; those with the fewest schemes first, else in the document's order. Empty:
   * nothing is required.
   */
  readonly security: readonly SecurityAlternative[];
  /** The first credential of the first alternative; `none` if a request needs none. */
  readonly credential: Credential;
}

/**
 * The `security` of an operation, else of the document. An alternative with a scheme that no request can
 * show requires nothing, which is reported.
 */
export function compileSecurity(context: CompileContext, operation: DocumentNode): Security {
  const stated = operation.get('security') ?? context.root.get('security');
  const security = (stated?.items() ?? [])
    .flatMap((alternative) => separate(context, alternative, readAlternative(context, alternative)))
    .toSorted((one, other) => one.length - other.length);
  const credential = security[0]?.find(isCredential) ?? { kind: 'none' };
  return { security, credential };
}

/** Whether requests can show a scheme. */
export function isCredential(scheme: SecurityScheme): scheme is ShownScheme {
  return scheme.kind !== 'mutual-tls';
}

/** The names of the keys that an operation takes in one place, by all alternatives. */
export function keyNames(
  { security }: Pick<Security, 'security'>,
  place: string,
): readonly string[] {
  return security
    .flat()
    .flatMap((one) => (one.kind === 'api-key' && one.in === place ? [one.name] : []));
}

/** Whether every alternative includes something that a request must show. */
export function wantsKey(security: readonly SecurityAlternative[]): boolean {
  return security.length > 0 && security.every((schemes) => schemes.some(isCredential));
}

function readAlternative(
  { root, issues }: CompileContext,
  alternative: DocumentNode,
): SecurityAlternative {
  const described = root.get('components')?.get('securitySchemes');
  const known: SecurityScheme[] = [];
  for (const name of Object.keys(alternative.object)) {
    const node = described?.get(name);
    const scheme = node && readScheme(node);
    if (scheme === undefined) {
      const message = `the security scheme ${name} is not supported: taken as no credential`;
      issues.report('unsupported-security', alternative.pointer, message);
      return [];
    }
    known.push(scheme);
  }
  return known;
}

/** Several schemes that all need the single `Authorization` header are read as alternatives. */
function separate(
  { issues }: CompileContext,
  { pointer }: DocumentNode,
  schemes: SecurityAlternative,
): readonly SecurityAlternative[] {
  const inHeader = schemes.filter(
    (one) =>
      isCredential(one) &&
      (one.kind !== 'api-key' ||
        (one.in === 'header' && one.name.toLowerCase() === 'authorization')),
  );
  const rivals = new Map(inHeader.map((one) => [one.kind === 'http' ? one.scheme : one.kind, one]));
  if (rivals.size < 2) return [schemes];
  const message =
    'all of these schemes need the Authorization header, which can carry one: taken as alternatives';
  issues.report('unsupported-security', pointer, message);
  const others = schemes.filter((one) => !inHeader.includes(one));
  return [...rivals.values()].map((one) => [...others, one]);
}

function readScheme(node: DocumentNode): SecurityScheme | undefined {
  const { pointer } = node;
  const type = node.text('type');
  if (type === 'mutualTLS') return { kind: 'mutual-tls', pointer };
  if (type === 'oauth2' || type === 'openIdConnect') return { kind: 'bearer', pointer };
  if (type === 'http') {
    // Names of schemes are case-insensitive (RFC 9110 section 11.1).
    const scheme = (node.text('scheme') ?? 'bearer').trim().toLowerCase();
    if (scheme === 'bearer' || scheme === 'basic') return { kind: scheme, pointer };
    return isFieldName(scheme) ? { kind: 'http', scheme, pointer } : undefined;
  }
  const name = node.text('name') ?? '';
  const place = keyPlaces.find((known) => known === node.text('in'));
  const isCarried =
    place === 'header' ? isFieldName(name) : place === 'query' || isFieldValue(name);
  const isKey = type === 'apiKey' && name !== '' && isCarried;
  return isKey && place !== undefined ? { kind: 'api-key', in: place, name, pointer } : undefined;
}

/** The request field that contains a credential. */
export interface CredentialField {
  readonly in: 'header' | 'query' | 'cookie';
  /** As spelled in the document; `Authorization` for HTTP schemes. */
  readonly name: string;
  /** Not yet encoded for its place. */
  readonly value: string;
}

/**
 * The field that contains a key for a credential; undefined if none is needed. For `basic`, a key with a
 * colon is user and password; any other key is used as both.
 */
export function renderCredential(
  credential: Credential,
  key: string,
  encodeBasic = encodeUser,
): CredentialField | undefined {
  if (credential.kind === 'none') return undefined;
  if (credential.kind === 'api-key')
    return { in: credential.in, name: credential.name, value: key };
  const scheme = credential.kind === 'http' ? credential.scheme : credential.kind;
  const shown = scheme === 'basic' ? encodeBasic(key) : key;
  // Digest has parameters (RFC 7616 section 3.4), and so may other schemes; otherwise it is one token.
  const digest = `username="${key}", realm="mock", nonce="0", uri="/", response="0"`;
  const name = scheme.slice(0, 1).toUpperCase() + scheme.slice(1);
  const value = `${name} ${scheme === 'digest' ? digest : shown}`;
  return { in: 'header', name: 'Authorization', value };
}

function encodeUser(key: string): string {
  const bytes = new TextEncoder().encode(key.includes(':') ? key : `${key}:${key}`);
  return btoa(String.fromCodePoint(...bytes));
}
