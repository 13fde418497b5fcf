import type { Contract } from '../../../contract/contract.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { isFieldName } from '../../../contract/openapi/header.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import { unknownName } from '../../../contract/error/unknown-name.ts';
import type { StubRequest, StubResponse, StubRule } from '../declaration/schemas.ts';
import { responsesOf } from './compiled-stub.ts';
import { decodeBytes, exampleNames } from './stubbed-response.ts';

/** They frame a response, which is up to what carries it (RFC 9112 sections 6 and 9). */
const framing = [
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
];

/** Throws `PetstoreError` for what the schema of a rule cannot express. */
export function checkRule(rule: StubRule, contract: Contract): void {
  const { request = {}, response, responses } = rule;
  if (response === undefined && responses === undefined)
    throw stubError('A stub needs response or responses.');
  if (response !== undefined && responses !== undefined)
    throw stubError('A stub must not have both response and responses.');
  if (responses?.length === 0) throw stubError('responses must have at least one entry.');
  checkRequest(request, contract);
  for (const one of responsesOf(rule)) checkResponse(one, request, contract);
}

function checkRequest(
  { operation, method, path, headers = {}, body }: StubRequest,
  { operations }: Contract,
): void {
  const known = operations.map(({ id }) => id);
  if (operation !== undefined && !known.includes(operation))
    throw unknownName('stub', 'operation', operation, known);
  if (method !== undefined && !/^[A-Z][A-Z-]*$/.test(method))
    throw stubError(`The method must be in upper case, such as GET, not "${method}".`);
  if (path !== undefined && !/^\/[^?#]*$/.test(path))
    throw stubError(
      `The path must start with a slash and have no query, such as /pets/{petId}, not "${path}". Put the query into the member query.`,
    );
  Object.keys(headers).forEach(checkFieldName);
  Object.keys(body?.members ?? {}).forEach(checkPointer);
}

function checkResponse(
  response: StubResponse,
  { operation: id }: StubRequest,
  { operations }: Contract,
): void {
  const kinds = (['body', 'text', 'base64', 'example'] as const).filter(
    (kind) => response[kind] !== undefined,
  );
  if (kinds.length > 1) throw stubError(`A response can have only one of ${kinds.join(', ')}.`);
  const { base64, example, headers = {} } = response;
  if (base64 !== undefined && decodeBytes(base64) === undefined)
    throw stubError('base64 must be Base64 with padding (RFC 4648 section 4).');
  const operation = operations.find((one) => one.id === id);
  if (example !== undefined && operation !== undefined) {
    const names = exampleNames(operation);
    if (!names.includes(example))
      throw unknownName('stub', `example of ${operation.id}`, example, names);
  }
  for (const [name, value] of Object.entries(headers)) {
    checkFieldName(name);
    if (framing.includes(name.toLowerCase()))
      throw stubError(`A stub cannot set the header ${name}: the mock sets it for each response.`);
    if ([value].flat().some((one) => one !== null && /[\r\n]/.test(one)))
      throw stubError(`The header ${name} must be on one line.`);
  }
}

function checkFieldName(name: string): void {
  if (!isFieldName(name)) throw stubError(`${JSON.stringify(name)} is not a valid header name.`);
}

function checkPointer(pointer: string): void {
  try {
    if (pointer.startsWith('#')) throw new SyntaxError('of a document');
    parsePointer(pointer);
  } catch {
    throw stubError(`"${pointer}" is not a JSON pointer. Use one such as /name or /tags/0.`);
  }
}

function stubError(message: string): PetstoreError {
  return new PetstoreError('stub', message);
}
