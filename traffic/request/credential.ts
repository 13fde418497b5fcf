import {
  isCredential,
  renderCredential,
  type CredentialField,
} from '../../contract/openapi/credential.ts';
import { requirementsOf, requirementId } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { fieldOf, type RecordedExchange, type RecordedHeaders } from '../recorded/recorded.ts';
import { readCookies } from './parameter.ts';

/** Fields that hold secrets in any service, in lower case. */
const secretFields: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'set-cookie2',
]);

/** Names that speak of a secret: `X-Api-Key`, `access_token`. */
const secretName =
  /(^|[-_.])(api-?_?key|key|token|secret|password|passwd|pwd|session|signature|sig|auth|jwt)s?$/i;

/** Whether a header or a member of a query may hold a key, by its name alone. */
export function isSecretName(name: string): boolean {
  return secretFields.has(name.toLowerCase()) || secretName.test(name);
}

/** The places in which requests to the service carry credentials. */
export function listCredentialFields({ operations }: Contract): readonly CredentialField[] {
  const fields = operations
    .flatMap(({ security }) => security.flat())
    .filter(isCredential)
    .flatMap((credential) => renderCredential(credential, '') ?? []);
  return [...new Map(fields.map((field) => [`${field.in} ${field.name}`, field])).values()];
}

/**
 * Whether a request lacks every credential that the operation takes, and any other that it might
 * take for one. False where the operation takes requests without.
 */
export function lacksCredential(
  contract: Contract,
  { id, security }: Operation,
  headers: RecordedHeaders,
  query: URLSearchParams,
): boolean {
  if (!requirementsOf(contract).has(requirementId.auth(id, 'missing'))) return false;
  if (fieldOf(headers, 'authorization') !== undefined) return false;
  const fields = security
    .flat()
    .filter(isCredential)
    .flatMap((credential) => renderCredential(credential, '') ?? []);
  return fields.every((field) => readField(field, headers, query) === '');
}

/** What a request has where a credential is carried; empty for nothing. */
export function readField(
  { in: place, name }: CredentialField,
  headers: RecordedHeaders,
  query: URLSearchParams,
): string {
  if (place === 'query') return query.get(name) ?? '';
  if (place === 'header') return fieldOf(headers, name.toLowerCase()) ?? '';
  const cookies = readCookies(fieldOf(headers, 'cookie') ?? '');
  return cookies.find(([each]) => each === name)?.[1] ?? '';
}

/** Whether some request of a recording carries a credential: it was not cleaned of them. */
export function showsCredentials(
  contract: Contract,
  exchanges: readonly RecordedExchange[],
): boolean {
  const fields = listCredentialFields(contract);
  return exchanges.some(({ request: { url, headers } }) => {
    const query = new URLSearchParams(url.split('?')[1] ?? '');
    return fields.some((field) => readField(field, headers, query) !== '');
  });
}
