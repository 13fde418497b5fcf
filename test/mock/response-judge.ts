import { relativeTarget } from '../../client/log.ts';
import {
  type Exchange,
  judgeContent,
  judgeFields,
  pairsOf,
  routerOf,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import { isJsonMediaType, essence } from '../../contract/openapi/media-type.ts';
import { parseJson } from '../../contract/json/value.ts';
import type { MockRequest, MockResponse } from '../../mock/http/message.ts';

/**
 * The violations of a response of the mock, by the suite; one outside of all operations must have the error
 * shape.
 */
export function judgeResponse(
  contract: Contract,
  { method, target }: MockRequest,
  response: MockResponse,
): readonly string[] {
  const { status, body } = response;
  const headers = headerMap(response.headers);
  const sent = method === 'HEAD' ? 'GET' : method;
  const given = relativeTarget(target, contract.basePath);
  // The suite sends no other paths.
  const relative = isDecodable(given) ? given : given.replaceAll('%', '');
  const route = routerOf(contract)(sent, relative);
  const operation = route.kind === 'operation' ? route.operation : undefined;
  const faults = [...judgeHeaders(response), ...judgeRateLimit(contract, headers)];
  if (status >= 500) faults.push('the status is 5XX');
  if (operation === undefined || documentedResponse(operation, status) === undefined)
    return [...faults, ...judgeError(contract, response, headers)];
  const exchange: Exchange = {
    index: 0,
    probe: 'mock',
    intent: { kind: 'unspecified', way: 'a request of a test' },
    request: {
      operation: operation.id,
      method: sent,
      target: relative,
      headers: [],
      credential: 'valid',
      body: undefined,
    },
    outcome: { kind: 'answered', response: { status, headers: [...headers], body, utf8: true } },
    // Without a time, because clocks of tests differ.
    sentAt: 0,
    endedAt: 0,
    group: undefined,
  };
  const { findings } = judgeFields(contract, exchange);
  for (const finding of [...findings, ...judgeContent(contract, exchange)])
    if (finding.kind === 'failed')
      faults.push(`${finding.requirement}: ${finding.expected}, but ${finding.received}`);
  return faults;
}

function isDecodable(target: string): boolean {
  try {
    return decodeURIComponent(target) !== '';
  } catch {
    return false;
  }
}

/**
 * A header that violates RFC 9110 section 5.5 would split the response, or be rejected by the integration.
 */
function judgeHeaders({ headers }: MockResponse): string[] {
  return headers
    .filter((text) => /[^\t\x20-\x7E\x80-\xFF]/.test(text))
    .map((text) => `a header holds ${JSON.stringify(text)}`);
}

/** Headers by name in lower case. */
export function headerMap(headers: readonly string[]): ReadonlyMap<string, string> {
  return new Map(pairsOf(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function judgeError(
  { error }: Contract,
  { status, body }: MockResponse,
  headers: ReadonlyMap<string, string>,
): readonly string[] {
  if (status === 204) return [];
  if (status < 400) return [`the status ${status} is not documented`];
  const type = essence(headers.get('content-type') ?? '');
  if (error === undefined)
    return type === 'application/problem+json' ? [] : ['the error is not problem details'];
  if (!isJsonMediaType(type)) return ['the error does not have the error shape'];
  const value = parseJson(body);
  return error.schema.validate(value).map(({ at, message }) => `the error at "${at}" ${message}`);
}

function judgeRateLimit(
  { rateLimit }: Contract,
  headers: ReadonlyMap<string, string>,
): readonly string[] {
  if (rateLimit === undefined) return [];
  const { limit, remaining, reset } = rateLimit.headers;
  const value = (name: string): number => Number(headers.get(name.toLowerCase()) ?? Number.NaN);
  const faults = [limit, remaining, reset]
    .filter((name) => !Number.isSafeInteger(value(name)))
    .map((name) => `${name} is not an integer`);
  return value(remaining) > value(limit) ? [...faults, `${remaining} is above ${limit}`] : faults;
}
