import { isFieldName, isFieldValue } from '../../../contract/openapi/header.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';

type Fields = readonly (readonly [name: string, value: string])[];

/** A request that HTTP, or the client of the suite, has no form for: it is not sent. */
export class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest';
}

/** Fields that are of the connection, which the client keeps to itself (RFC 9110 section 7.6.1). */
const own: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Refuses what the client would not send, or may mean another operation, so that no target is blamed
 * for it.
 * @throws {UnsendableRequest}
 */
export function refuseUnsendable(
  { path, isAddressable }: Operation,
  target: string,
  headers: Fields,
): void {
  if (!isAddressable)
    throw new UnsendableRequest(
      `no request can address ${path}: an OpenAPI path has neither query nor fragment`,
    );
  const reason = explainTarget(target) ?? explainFields(headers);
  if (reason !== undefined)
    throw new UnsendableRequest(`the client of the suite cannot send it: ${reason}`);
}

function explainTarget(target: string): string | undefined {
  if (!/[^\x21-\xff]/.test(target)) return undefined;
  return `the path and query ${JSON.stringify(target)} contain characters that are not allowed in a request`;
}

function explainFields(headers: Fields): string | undefined {
  for (const [name, value] of headers) {
    if (!isFieldName(name)) return `${JSON.stringify(name)} is not a header name`;
    if (own.has(name.toLowerCase())) return `the header ${name} is set by the client itself`;
    if (!isFieldValue(value))
      return `the header ${name} would contain characters that are not allowed in a header`;
  }
  return undefined;
}
