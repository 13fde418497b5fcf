import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { explainUnknown } from '../../../contract/error/unknown-name.ts';
import { isBodiless } from '../../operation/response/renderer.ts';
import type { StubRequest, StubResponse, StubRule, StubWarning } from '../declaration/schemas.ts';
import { type CompiledStub, concerns, responsesOf, withoutBase } from './compiled-stub.ts';
import { exampleNames, statusOf } from './stubbed-response.ts';

/** If a stub is for more operations, the others are only counted. */
const mostOperations = 3;

/** What of the contract a stub breaks, and what in it matches no documented request. */
export function findWarnings(
  rule: StubRule,
  stub: CompiledStub,
  contract: Contract,
): readonly StubWarning[] {
  const { request = {} } = rule;
  const meant = contract.operations.filter((one) => concerns(request, one, contract.basePath));
  if (meant.length === 0) return [explainNowhere(request, contract)];
  const ofOperations = meant
    .map((operation) => [
      ...judgeRequest(request, operation),
      ...responsesOf(rule).flatMap((response, index) => [
        ...stub.answer(index, operation).warnings,
        ...judgeRule(response, operation),
      ]),
    ])
    .filter((warnings) => warnings.length > 0);
  const left = ofOperations.length - mostOperations;
  const shown = ofOperations.slice(0, mostOperations).flat();
  if (left > 0) shown.push({ message: `The same applies to ${left} more operations.` });
  return [...new Map(shown.map((one) => [one.message, one])).values()];
}

function explainNowhere(
  { operation, method, path }: StubRequest,
  { basePath }: Contract,
): StubWarning {
  if (operation !== undefined && path === undefined && method === undefined)
    return { message: `The document has no operation ${operation}, so the stub never applies.` };
  const parts = [operation, method, path && withoutBase(path, basePath)].filter(
    (part) => part !== undefined,
  );
  const message =
    operation === undefined
      ? `The document has no ${parts.join(' ')}. Without the stub, the mock refuses this request.`
      : `No request matches all of ${parts.join(', ')}, so the stub never applies.`;
  return { message, pointer: '#/paths' };
}

/** What no valid request has: an unknown query parameter, or a body. */
function judgeRequest(
  { query = {}, body }: StubRequest,
  { id, parameters, security, pointer, requestBody }: Operation,
): readonly StubWarning[] {
  const inQuery = parameters.filter((one) => one.in === 'query');
  const keys = security.flat().filter((one) => one.kind === 'api-key' && one.in === 'query');
  const known = [...inQuery, ...keys].map((one) => ('name' in one ? one.name : ''));
  // An object may be spread over other names than its own.
  const isSpread = inQuery.some(({ schema }) => schema?.shape().types.join(',') === 'object');
  const unknown = isSpread ? [] : Object.keys(query).filter((name) => !known.includes(name));
  const warnings: StubWarning[] = unknown.map((name) => ({
    message: `${id}: ${explainUnknown('query parameter', name, known)}`,
    pointer,
  }));
  if (body !== undefined && requestBody === undefined)
    warnings.push({ message: `The stub expects a body, but ${id} has none.`, pointer });
  return warnings;
}

function judgeRule(response: StubResponse, operation: Operation): readonly StubWarning[] {
  const warnings: StubWarning[] = [];
  const status = statusOf(response, operation);
  const { body, text = '', base64 = '', example } = response;
  if (isBodiless(status) && (body !== undefined || text !== '' || base64 !== ''))
    warnings.push({
      message: `A ${status} response has no body (RFC 9110), so the body of the stub is not sent.`,
    });
  const known = exampleNames(operation);
  if (example !== undefined && !known.includes(example)) {
    const message = `${operation.id}: ${explainUnknown('example', example, known)}`;
    warnings.push({ message, pointer: operation.pointer });
  }
  return warnings;
}
