import type { Contract } from '../../../contract/contract.ts';
import type { HeaderContract } from '../../../contract/openapi/header.ts';
import {
  type JsonValue,
  isJsonObject,
  jsonEquals,
  ownMember,
  parseJson,
} from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { type ResponseContract, documentedResponse } from '../../../contract/openapi/response.ts';
import { appendPointer } from '../../../contract/json/pointer.ts';
import { findContent, isJsonMediaType } from '../../../contract/openapi/media-type.ts';
import { isBodyOpen } from '../../../contract/openapi/open-question.ts';
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
    const message = `${operation.id} does not document status ${status}, only ${known}.`;
    return [{ message, pointer: appendPointer(operation.pointer, 'responses') }];
  }
  const name = `the ${status} of ${operation.id}`;
  const isOpen = isBodyOpen(contract.openQuestions, documented.pointer);
  return [
    ...documented.headers.map((header) => judgeHeader(header, response, name)),
    ...judgeRate(contract, response),
    isOpen ? undefined : judgeBody(documented, response, name),
    judgeStatusMember(contract, response, documented),
  ].filter((one) => one !== undefined);
}

function judgeHeader(
  { name, required, schema, pointer }: HeaderContract,
  response: MockResponse,
  whose: string,
): StubWarning | undefined {
  const value = headerOf(response, name);
  if (value === undefined)
    return required ? { message: `${name} is missing; ${whose} requires it.`, pointer } : undefined;
  if (schema === undefined) return undefined;
  const { types } = schema.shape();
  // Lists and objects in headers are not read here.
  if (types.length < 7 && types.every((type) => type === 'array' || type === 'object'))
    return undefined;
  const read = readParameterText(value, schema.shape());
  const issues = read === undefined ? undefined : schema.validate(read);
  if (issues?.length === 0) return undefined;
  const reason = issues?.[0]?.message ?? `must be one of ${types.join(', ')}`;
  return { message: `${name} ${reason}.`, pointer };
}

function judgeRate({ rateLimit }: Contract, response: MockResponse): readonly StubWarning[] {
  if (rateLimit === undefined) return [];
  const { limit, remaining, reset } = rateLimit.headers;
  const { pointer } = rateLimit;
  const wrong = [limit, remaining, reset].filter(
    (name) => !/^\d+$/.test(headerOf(response, name) ?? ''),
  );
  const isAbove =
    wrong.length === 0 && Number(headerOf(response, remaining)) > Number(headerOf(response, limit));
  return isAbove
    ? [{ message: `${remaining} is above ${limit}.`, pointer }]
    : wrong.map((name) => ({
        message: `${name} must be an integer of at least 0 in every response.`,
        pointer,
      }));
}

function judgeBody(
  { content, pointer }: ResponseContract,
  response: MockResponse,
  whose: string,
): StubWarning | undefined {
  const { body, delivery } = response;
  const type = headerOf(response, 'Content-Type') ?? '';
  const sent = essence(type);
  const isEmpty = body === '' && (delivery?.content ?? []).length === 0;
  if (content.length === 0 && isEmpty) return undefined;
  if (content.length === 0)
    return { message: `The document describes no body for ${whose}.`, pointer };
  const media = isEmpty ? undefined : findContent(content, type);
  if (media === undefined) {
    const shown = isEmpty ? 'empty' : sent === '' ? 'without a media type' : sent;
    const types = content.map(({ mediaType }) => mediaType).join(', ');
    const message = `The body is ${shown}, but ${whose} must be ${types}.`;
    return { message, pointer: appendPointer(pointer, 'content') };
  }
  if (!isJsonMediaType(sent) || media.schema === undefined) return undefined;
  const value = readJson(body);
  if (value === undefined) return { message: 'The body is not JSON.', pointer: media.pointer };
  const issues = media.schema.validate(value);
  const [first] = issues;
  if (first === undefined) return undefined;
  const message = `The body does not match its schema: ${renderIssues(issues)}.`;
  return { message, pointer: first.schemaPointer };
}

/** If the error shape contains a status, it is that of the response. */
function judgeStatusMember(
  { error }: Contract,
  { status, body }: MockResponse,
  { pointer }: ResponseContract,
): StubWarning | undefined {
  const name = error?.members.find(({ role }) => role === 'status')?.name;
  if (status < 400 || name === undefined) return undefined;
  const object = readJson(body);
  const value = isJsonObject(object) ? ownMember(object, name) : undefined;
  if (value === undefined || jsonEquals(value, status)) return undefined;
  const message = `${name} in the body must be ${status}, the status of the response (at /${name}).`;
  return { message, pointer };
}

function readJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function headerOf({ headers }: Pick<MockResponse, 'headers'>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === wanted);
  return at < 0 ? undefined : headers[at + 1];
}
