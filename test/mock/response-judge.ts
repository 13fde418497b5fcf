import {
  type Contract,
  type JsonValue,
  type Operation,
  type ResponseContract,
  isBodyOpen,
  isJsonMediaType,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../contract/index.ts';
import type { MockResponse, MockRequest } from '../../mock/http/message.ts';
import { essence } from '../../mock/http/media-type.ts';
import { parsePathTemplate } from '../../mock/http/path-template.ts';

/** What a response of the mock breaks; other statuses must carry the error shape. */
export function judgeResponse(
  contract: Contract,
  request: MockRequest,
  response: MockResponse,
): readonly string[] {
  const headers = headerMap(response.headers);
  const documented = findResponse(findOperation(contract, request), response.status);
  const isOpen = isBodyOpen(contract.openQuestions, documented?.pointer ?? '');
  return [
    ...(response.status >= 500 ? ['the status is 5XX'] : []),
    ...judgeHeaders(response),
    ...judgeRateLimit(contract, headers),
    ...(documented === undefined
      ? judgeError(contract, response, headers)
      : judgeDocumented(isOpen ? { ...documented, content: [] } : documented, response, headers)),
    ...judgeStatusMember(contract, response),
  ];
}

/** A header that is not of RFC 9110 section 5.5 splits the response, or is refused by the integration. */
function judgeHeaders({ headers }: MockResponse): readonly string[] {
  return headers
    .filter((text) => /[^\t\x20-\x7E\x80-\xFF]/.test(text))
    .map((text) => `a header holds ${JSON.stringify(text)}`);
}

/** Headers by name in lower case. */
export function headerMap(headers: readonly string[]): ReadonlyMap<string, string> {
  const pairs = headers.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? ''] as const] : [],
  );
  return new Map(pairs);
}

function findOperation(
  { operations, basePath }: Contract,
  { method, target }: MockRequest,
): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const path = target.split('?')[0] ?? '';
  // `/users/{user}:getStats` is matched before `/users/{user}`, which takes its paths too.
  const [found] = operations
    .filter(
      (operation) =>
        operation.method === wanted &&
        parsePathTemplate(operation.path, basePath).match(path) !== undefined,
    )
    .toSorted((one, other) => literalLength(other) - literalLength(one));
  return found;
}

function literalLength({ path }: Operation): number {
  return path.replace(/\{[^{}]*\}/g, '').length;
}

function findResponse(
  operation: Operation | undefined,
  status: number,
): ResponseContract | undefined {
  const find = (wanted: string): ResponseContract | undefined =>
    operation?.responses.find((documented) => documented.status === wanted);
  return find(`${status}`) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default');
}

function judgeDocumented(
  { headers: promised, content }: ResponseContract,
  response: MockResponse,
  headers: ReadonlyMap<string, string>,
): readonly string[] {
  const missing = promised
    .filter(({ name, required }) => required && !headers.has(name.toLowerCase()))
    .map(({ name }) => `${name} is missing`);
  if (content.length === 0) return missing;
  const media = content.find(
    ({ mediaType }) => mediaType === essence(headers.get('content-type') ?? ''),
  );
  if (media === undefined)
    return [...missing, `the media type ${headers.get('content-type')} is not documented`];
  const issues = isJsonMediaType(media.mediaType)
    ? (media.schema?.validate(parseJson(response.body)) ?? [])
    : [];
  return [...missing, ...issues.map(({ at, message }) => `the body at "${at}" ${message}`)];
}

function judgeError(
  { error }: Contract,
  response: MockResponse,
  headers: ReadonlyMap<string, string>,
): readonly string[] {
  if (response.status === 204) return [];
  if (response.status < 400) return [`the status ${response.status} is not documented`];
  const type = essence(headers.get('content-type') ?? '');
  if (error === undefined)
    return type === 'application/problem+json' ? [] : ['the error is no problem details'];
  if (!isJsonMediaType(type)) return ['the error has not the error shape'];
  return error.schema
    .validate(parseJson(response.body))
    .map(({ at, message }) => `the error at "${at}" ${message}`);
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
    .map((name) => `${name} is no integer`);
  return value(remaining) > value(limit) ? [...faults, `${remaining} is above ${limit}`] : faults;
}

function judgeStatusMember({ error }: Contract, response: MockResponse): readonly string[] {
  const name = error?.members.find(({ role }) => role === 'status')?.name;
  const body =
    response.status >= 400 && response.body.startsWith('{') ? parseJson(response.body) : undefined;
  if (name === undefined || !isJsonObject(body)) return [];
  const status: JsonValue | undefined = body[name];
  return status === response.status
    ? []
    : [`${name} is ${renderJson(status ?? null)} in a response with status ${response.status}`];
}
