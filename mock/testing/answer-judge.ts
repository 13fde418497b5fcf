import {
  type Contract,
  type JsonValue,
  type Operation,
  type ResponseContract,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../contract/index.ts';
import type { MockAnswer, MockRequest } from '../http/message.ts';
import { essence, isJsonType } from '../http/media-type.ts';
import { parsePathTemplate } from '../http/path-template.ts';

/**
 * What an answer of the mock breaks in the contract, as sentences; empty for none. Statuses that
 * the document does not have must carry its error shape.
 */
export function judgeAnswer(
  contract: Contract,
  request: MockRequest,
  answer: MockAnswer,
): readonly string[] {
  const headers = headerMap(answer.headers);
  const response = findResponse(findOperation(contract, request), answer.status);
  return [
    ...(answer.status >= 500 ? ['the status is 5XX'] : []),
    ...judgeHeaders(answer),
    ...judgeRateLimit(contract, headers),
    ...(response === undefined
      ? judgeError(contract, answer, headers)
      : judgeResponse(response, answer, headers)),
    ...judgeStatusMember(contract, answer),
  ];
}

/** A header that is not of RFC 9110 section 5.5 splits the answer, or is refused by the door. */
function judgeHeaders({ headers }: MockAnswer): readonly string[] {
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
  return operations.find(
    (operation) =>
      operation.method === wanted &&
      parsePathTemplate(operation.path, basePath).match(path) !== undefined,
  );
}

function findResponse(
  operation: Operation | undefined,
  status: number,
): ResponseContract | undefined {
  const find = (wanted: string): ResponseContract | undefined =>
    operation?.responses.find((response) => response.status === wanted);
  return find(`${status}`) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default');
}

function judgeResponse(
  { headers: promised, content }: ResponseContract,
  answer: MockAnswer,
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
  const issues = isJsonType(media.mediaType)
    ? (media.schema?.validate(parseJson(answer.body)) ?? [])
    : [];
  return [...missing, ...issues.map(({ at, message }) => `the body at "${at}" ${message}`)];
}

function judgeError(
  { error }: Contract,
  answer: MockAnswer,
  headers: ReadonlyMap<string, string>,
): readonly string[] {
  if (answer.status === 204) return [];
  if (answer.status < 400) return [`the status ${answer.status} is not documented`];
  const type = essence(headers.get('content-type') ?? '');
  if (error === undefined)
    return type === 'application/problem+json' ? [] : ['the error is no problem details'];
  if (!isJsonType(type)) return ['the error has not the error shape'];
  return error.schema
    .validate(parseJson(answer.body))
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

function judgeStatusMember({ error }: Contract, answer: MockAnswer): readonly string[] {
  const name = error?.members.find(({ role }) => role === 'status')?.name;
  const body =
    answer.status >= 400 && answer.body.startsWith('{') ? parseJson(answer.body) : undefined;
  if (name === undefined || !isJsonObject(body)) return [];
  const status: JsonValue | undefined = body[name];
  return status === answer.status
    ? []
    : [`${name} is ${renderJson(status ?? null)} in an answer with status ${answer.status}`];
}
