import {
  type Contract,
  type HeaderContract,
  type JsonObject,
  type Operation,
  type ResponseContract,
  type SchemaNode,
  appendPointer,
  isBodyOpen,
  isJsonMediaType,
  isJsonObject,
  jsonEquals,
  ownMember,
  parseJson,
  findContent,
  documentedResponse,
} from '../../../contract/index.ts';
import { renderIssues } from '../../http/issue-message.ts';
import { essence } from '../../http/media-type.ts';
import type { MockResponse } from '../../http/message.ts';
import { readParameterText } from '../../http/parameter-text.ts';
import type { StubWarning } from '../declaration/schemas.ts';

/** What a response of an operation breaks of the contract, as it will be sent. */
export function judgeResponse(
  contract: Contract,
  operation: Operation,
  response: MockResponse,
): readonly StubWarning[] {
  const { status } = response;
  const documented = documentedResponse(operation, status);
  if (documented === undefined) {
    const known = operation.responses.map((one) => one.status).join(', ');
    return [
      {
        message: `${operation.id} does not document status ${status}, only ${known}.`,
        pointer: appendPointer(operation.pointer, 'responses'),
      },
    ];
  }
  const name = `the ${status} of ${operation.id}`;
  return [
    ...documented.headers.flatMap((header) => judgeHeader(header, response, name)),
    ...judgeRate(contract, response),
    ...(isBodyOpen(contract.openQuestions, documented.pointer)
      ? []
      : judgeBody(documented, response, name)),
    ...judgeStatusMember(contract, response, documented),
  ];
}

function judgeHeader(
  { name, required, schema, pointer }: HeaderContract,
  response: MockResponse,
  whose: string,
): readonly StubWarning[] {
  const value = headerOf(response, name);
  if (value === undefined)
    return required ? [{ message: `${name} is missing; ${whose} requires it.`, pointer }] : [];
  if (schema === undefined) return [];
  const types = schema.shape().types;
  // How lists and objects stand in a header is not read here.
  if (types.length < 7 && types.every((type) => type === 'array' || type === 'object')) return [];
  const read = readParameterText(value, schema.shape());
  const issues = read === undefined ? undefined : schema.validate(read);
  if (issues?.length === 0) return [];
  const reason = issues?.[0]?.message ?? `must be one of ${types.join(', ')}`;
  return [{ message: `${name} ${reason}.`, pointer }];
}

function judgeRate({ rateLimit }: Contract, response: MockResponse): readonly StubWarning[] {
  if (rateLimit === undefined) return [];
  const { limit, remaining, reset } = rateLimit.headers;
  const { pointer } = rateLimit;
  const missing = [limit, remaining, reset].filter(
    (name) => !/^\d+$/.test(headerOf(response, name) ?? ''),
  );
  if (missing.length > 0)
    return missing.map((name) => ({
      message: `${name} must be an integer of at least 0 in every response.`,
      pointer,
    }));
  const isAbove = Number(headerOf(response, remaining)) > Number(headerOf(response, limit));
  return isAbove ? [{ message: `${remaining} is above ${limit}.`, pointer }] : [];
}

function judgeBody(
  { content, pointer }: ResponseContract,
  response: MockResponse,
  whose: string,
): readonly StubWarning[] {
  const { body, delivery } = response;
  const sent = essence(headerOf(response, 'Content-Type') ?? '');
  const types = content.map(({ mediaType }) => mediaType);
  const place = appendPointer(pointer, 'content');
  const isEmpty = body === '' && (delivery?.content ?? []).length === 0;
  if (content.length === 0)
    return isEmpty ? [] : [{ message: `The document describes no body for ${whose}.`, pointer }];
  if (isEmpty)
    return [
      { message: `The body is empty, but ${whose} must be ${types.join(', ')}.`, pointer: place },
    ];
  const media = findContent(content, headerOf(response, 'Content-Type') ?? '');
  if (media === undefined) {
    const shown = sent === '' ? 'without a media type' : sent;
    const message = `The body is ${shown}, but ${whose} must be ${types.join(', ')}.`;
    return [{ message, pointer: place }];
  }
  if (!isJsonMediaType(sent) || media.schema === undefined) return [];
  return judgeJson(body, media.schema, media.pointer);
}

function judgeJson(body: string, schema: SchemaNode, pointer: string): readonly StubWarning[] {
  try {
    const issues = schema.validate(parseJson(body));
    const [first] = issues;
    if (first === undefined) return [];
    const message = `The body does not match its schema: ${renderIssues(issues)}.`;
    return [{ message, pointer: first.schemaPointer }];
  } catch {
    return [{ message: 'The body is not JSON.', pointer }];
  }
}

/** Where errors tell their status, it is that of the response. */
function judgeStatusMember(
  { error }: Contract,
  { status, body }: MockResponse,
  { pointer }: ResponseContract,
): readonly StubWarning[] {
  const name = error?.members.find(({ role }) => role === 'status')?.name;
  if (status < 400 || name === undefined || !body.startsWith('{')) return [];
  const value = ownMember(readObject(body), name);
  if (value === undefined || jsonEquals(value, status)) return [];
  return [
    {
      message: `${name} in the body must be ${status}, the status of the response (at /${name}).`,
      pointer,
    },
  ];
}

function readObject(body: string): JsonObject {
  try {
    const value = parseJson(body);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function headerOf({ headers }: Pick<MockResponse, 'headers'>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === wanted);
  return at < 0 ? undefined : headers[at + 1];
}
