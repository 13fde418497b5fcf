import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { trimEnd, withoutUser } from '../../contract/http/address.ts';
import { once } from '../../contract/memo/once.ts';

/** The server to judge. */
export interface Target {
  /** Base URL with version, without a trailing slash: `http://127.0.0.1:4010/v1`. */
  readonly baseUrl: string;
  /** The API key; undefined if the service requires none. */
  readonly apiKey: string | undefined;
}

/**
 * Parses a base URL.
 * @throws {PetstoreError} if it is not an absolute http or https URL, or has a query or fragment
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const refusal = (reason: string): PetstoreError =>
    new PetstoreError('target', `"${withoutUser(text)}" is not a base URL: it ${reason}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refusal('has to be an http or https URL such as http://127.0.0.1:4010/v1');
  if (url.username || url.password)
    throw refusal('must not contain a user name or a password: pass the key with its own option');
  if (url.search || url.hash) throw refusal('must not have a query or a fragment');
  return `${url.origin}${trimEnd(url.pathname, '/')}`;
}

/**
 * The URL of a request. Only this function joins a base URL and a request target: the URL never
 * leaves the origin of the base URL, because the key is sent with it. A target that begins with
 * `/../` replaces the last segment of the base path, its version. Undefined if there is no such
 * segment, or the target does not begin with a slash.
 */
export function resolveTarget(baseUrl: string, target: string): string | undefined {
  const url = URL.parse(baseUrl);
  if (url === null || !target.startsWith('/')) return undefined;
  const path = trimEnd(url.pathname, '/');
  if (!target.startsWith('/../')) return url.origin + path + target;
  if (path === '') return undefined;
  return url.origin + path.slice(0, path.lastIndexOf('/')) + target.slice('/..'.length);
}

/** The operation with an id. */
export function operationOf(contract: Contract, id: string): Operation | undefined {
  return operationsById(contract).get(id);
}

const operationsById = once(
  ({ operations }: Contract): ReadonlyMap<string, Operation> =>
    new Map(operations.toReversed().map((operation) => [operation.id, operation])),
);

/** Whether an operation may add, change or remove something. */
export function writes({ method }: { readonly method: string }): boolean {
  return !['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].includes(method);
}
