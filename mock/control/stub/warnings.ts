import { type Contract, type Operation, explainUnknown } from '../../../contract/index.ts';
import { isBodiless } from '../../operation/response/renderer.ts';
import { exampleNames, statusOf } from './stubbed-response.ts';
import { type CompiledStub, concerns, responsesOf, withoutBase } from './compiled-stub.ts';
import type { StubRequest, StubRule, StubWarning } from '../declaration/schemas.ts';

/** Of more operations that a stub is for so many are judged by name. */
const mostOperations = 3;

/** What of the contract a stub breaks, and what of it is for no request of the document. */
export function findWarnings(
  rule: StubRule,
  stub: CompiledStub,
  contract: Contract,
): readonly StubWarning[] {
  const { request = {} } = rule;
  const meant = contract.operations.filter((one) => concerns(request, one, contract.basePath));
  if (meant.length === 0) return [explainNowhere(request, contract)];
  const responses = responsesOf(rule);
  const ofOperations = meant.map((operation) => [
    ...judgeRequest(request, operation),
    ...responses.flatMap((response, index) => [
      ...stub.answer(index, operation).warnings,
      ...judgeBodiless(response, operation),
      ...judgeExample(response.example, operation),
    ]),
  ]);
  const told = ofOperations.filter((warnings) => warnings.length > 0);
  const left = told.length - mostOperations;
  return unique([
    ...told.slice(0, mostOperations).flat(),
    ...(left > 0 ? [{ message: `The same applies to ${left} more operations.` }] : []),
  ]);
}

function explainNowhere(
  { operation, method, path }: StubRequest,
  { basePath }: Contract,
): StubWarning {
  if (operation !== undefined && path === undefined && method === undefined)
    return { message: `The document has no operation ${operation}, so the stub never applies.` };
  const place = [operation, method, path && withoutBase(path, basePath)].filter(
    (part) => part !== undefined,
  );
  const message =
    operation === undefined
      ? `The document has no ${place.join(' ')}. Without the stub, the mock refuses this request.`
      : `No request matches all of ${place.join(', ')}, so the stub never applies.`;
  return { message, pointer: '#/paths' };
}

/** Names in a query or of a body that no request that keeps the contract has. */
function judgeRequest(
  { query = {}, body }: StubRequest,
  operation: Operation,
): readonly StubWarning[] {
  const { id, parameters, security, pointer, requestBody } = operation;
  const known = [
    ...parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
    ...security
      .flat()
      .flatMap((one) => (one.kind === 'api-key' && one.in === 'query' ? [one.name] : [])),
  ];
  // An object or a list may be spread over other names than its own.
  const isSpread = parameters.some(
    ({ in: place, schema }) =>
      place === 'query' && (schema?.shape().types ?? []).join(',') === 'object',
  );
  const unknown = isSpread ? [] : Object.keys(query).filter((name) => !known.includes(name));
  return [
    ...unknown.map((name) => ({
      message: `${id}: ${explainUnknown('query parameter', name, known)}`,
      pointer,
    })),
    ...(body !== undefined && requestBody === undefined
      ? [{ message: `The stub expects a body, but ${id} has none.`, pointer }]
      : []),
  ];
}

function judgeBodiless(
  response: ReturnType<typeof responsesOf>[number],
  operation: Operation,
): readonly StubWarning[] {
  const status = statusOf(response, operation);
  const { body, text = '', base64 = '' } = response;
  const hasBody = body !== undefined || text !== '' || base64 !== '';
  if (!isBodiless(status) || !hasBody) return [];
  return [
    {
      message: `A ${status} response has no body (RFC 9110), so the body of the stub is not sent.`,
    },
  ];
}

function judgeExample(name: string | undefined, operation: Operation): readonly StubWarning[] {
  const known = exampleNames(operation);
  if (name === undefined || known.includes(name)) return [];
  const message = `${operation.id}: ${explainUnknown('example', name, known)}`;
  return [{ message, pointer: operation.pointer }];
}

function unique(warnings: readonly StubWarning[]): readonly StubWarning[] {
  return [...new Map(warnings.map((one) => [one.message, one])).values()];
}
