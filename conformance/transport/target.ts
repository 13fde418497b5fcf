import {
  type Contract,
  type Operation,
  PetstoreError,
  trimEnd,
  withoutUser,
} from '../../contract/index.ts';
import { once } from '../memo/once.ts';

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
    new PetstoreError('target', `"${withoutUser(text)}" is no base address: it ${reason}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refusal('has to be an http or https URL such as http://127.0.0.1:4010/v1');
  if (url.search || url.hash) throw refusal('must not have a query or a fragment');
  return `${url.origin}${trimEnd(url.pathname, '/')}`;
}

/** The operation of that id. */
export function operationOf(contract: Contract, id: string): Operation | undefined {
  return operationsById(contract).get(id);
}

const operationsById = once(
  ({ operations }: Contract): ReadonlyMap<string, Operation> =>
    new Map(operations.toReversed().map((operation) => [operation.id, operation])),
);

/** Whether an operation may add, change or remove something. */
export function writes({ method }: Operation): boolean {
  return !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);
}
