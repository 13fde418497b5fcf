import type { Contract } from '../../../contract/contract.ts';
import { explainUnknown } from '../../../contract/error/unknown-name.ts';
import { appendPointer } from '../../../contract/json/pointer.ts';
import { isJsonObject, jsonEquals, ownMember } from '../../../contract/json/value.ts';
import { findContent, isJsonMediaType, essence } from '../../../contract/openapi/media-type.ts';
import { isBodyOpen } from '../../../contract/openapi/open-question.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { type ResponseContract, documentedResponse } from '../../../contract/openapi/response.ts';
import { renderIssues } from '../../operation/response/refusal.ts';
import { type MockResponse, isBodiless, responseHeader } from '../../http/message.ts';
import { readJsonText, readTextValue, simpleSource } from '../../http/parameter-text.ts';
import type { Service } from '../../sandbox/service.ts';
import type { StubRequest, StubResponse, StubRule, StubWarning } from '../declaration/schemas.ts';
import { operationsOf, queryNames, withoutBase } from './match.ts';
import { type StubbedResponse, composeResponse, exampleNames, statusOf } from './respond.ts';

/** If a stub is for more operations, the others are only counted. */
const maxOperations = 3;

type Warn = (message: string, pointer?: string) => void;

/** How a stub breaks the contract, and what in it no documented request matches. */
export function findWarnings(
  { request = {}, response = {}, responses = [response] }: StubRule,
  service: Service,
): readonly StubWarning[] {
  const { contract } = service;
  const meant = operationsOf(request, contract);
  if (meant.length === 0) return [explainNowhere(request, contract)];
  const ofOperations = meant
    .map((operation) =>
      collect((warn) => {
        judgeRequest(request, operation, contract, warn);
        for (const one of responses) {
          judgeResponse(composeResponse(one, operation), operation, service, warn);
          judgeRule(one, operation, warn);
        }
      }),
    )
    .filter((warnings) => warnings.length > 0);
  const left = ofOperations.length - maxOperations;
  const shown = ofOperations.slice(0, maxOperations).flat();
  if (left > 0) shown.push({ message: `The same applies to ${left} more operations.` });
  return [...new Map(shown.map((one) => [one.message, one])).values()];
}

/** How a response of an operation breaks the contract. */
export function findBreaches(
  response: StubbedResponse,
  operation: Operation | undefined,
  service: Service,
): readonly string[] {
  if (operation === undefined) return [];
  const warnings = collect((warn) => judgeResponse(response, operation, service, warn));
  return warnings.map(({ message }) => message);
}

function collect(judge: (warn: Warn) => void): readonly StubWarning[] {
  const warnings: StubWarning[] = [];
  judge((message, pointer) => void warnings.push({ message, pointer }));
  return warnings;
}

/** Renders a response as if it were the first. */
function renderOnce(
  { outcome, alter }: StubbedResponse,
  operation: Operation,
  { contract: { rateLimit, basePath }, responseRenderer }: Service,
): MockResponse {
  const isSpent = outcome.status === rateLimit?.status;
  const facts = isSpent ? { ...outcome.facts, retryAfter: 1 } : outcome.facts;
  const rate = rateLimit && { limit: 1, remaining: 0, resetAt: 60_000 };
  const target = basePath + operation.path;
  const moment = { now: 0, rate, applied: '', target, sandbox: '', index: 0 };
  return alter(responseRenderer.render(operation, { ...outcome, facts }, moment));
}

function explainNowhere(
  { operation, method, path }: StubRequest,
  { basePath }: Contract,
): StubWarning {
  const parts = [operation, method, path && withoutBase(path, basePath)].filter(Boolean);
  const message =
    operation === undefined
      ? `The document has no ${parts.join(' ')}. Without the stub, the mock refuses this request.`
      : `No request matches ${parts.join(', ')}, so the stub never applies.`;
  return { message, pointer: '#/paths' };
}

/** Warns of what no valid request has: an unknown query parameter, or a body. */
function judgeRequest(
  { query = {}, body }: StubRequest,
  operation: Operation,
  contract: Contract,
  warn: Warn,
): void {
  const { id, pointer, requestBody } = operation;
  const known = queryNames(operation, contract);
  for (const name of known === undefined ? [] : Object.keys(query))
    if (known?.includes(name) === false)
      warn(`${id}: ${explainUnknown('query parameter', name, known)}`, pointer);
  if (body !== undefined && requestBody === undefined)
    warn(`The stub expects a body, but ${id} has none.`, pointer);
}

function judgeRule(response: StubResponse, operation: Operation, warn: Warn): void {
  const status = statusOf(response, operation);
  const { body, text = '', base64 = '', example } = response;
  if (isBodiless(status) && (body !== undefined || text !== '' || base64 !== ''))
    warn(`A ${status} response has no body (RFC 9110), so the body of the stub is not sent.`);
  const known = exampleNames(operation);
  if (example !== undefined && !known.includes(example))
    warn(`${operation.id}: ${explainUnknown('example', example, known)}`, operation.pointer);
}

/** Warns of how a response of an operation, as it will be sent, breaks the contract. */
function judgeResponse(
  stubbed: StubbedResponse,
  operation: Operation,
  service: Service,
  warn: Warn,
): void {
  const { error, openQuestions, rateLimit } = service.contract;
  const response = renderOnce(stubbed, operation, service);
  const { status, body } = response;
  const documented = documentedResponse(operation, status);
  if (documented === undefined) {
    const known = operation.responses.map((one) => one.status).join(', ');
    warn(
      `${operation.id} does not document status ${status}, only ${known}.`,
      appendPointer(operation.pointer, 'responses'),
    );
    return;
  }
  const whose = `the ${status} of ${operation.id}`;
  for (const { name, required, schema, pointer } of documented.headers) {
    const value = responseHeader(response, name);
    if (value === undefined && required) warn(`${name} is missing; ${whose} requires it.`, pointer);
    if (value === undefined || schema === undefined) continue;
    const read = readTextValue(simpleSource(value, false), schema);
    const [issue] = read?.issues ?? [];
    const reason = issue?.message ?? `must be one of ${schema.shape().types.join(', ')}`;
    if (read === undefined || issue !== undefined) warn(`${name} ${reason}.`, pointer);
  }
  if (rateLimit !== undefined) {
    const { limit, remaining, reset } = rateLimit.headers;
    const listed = new Set(documented.headers.map(({ name }) => name.toLowerCase()));
    const [most = NaN, left = NaN] = [limit, remaining, reset].map((name) => {
      const value = responseHeader(response, name) ?? '';
      const isCount = /^\d+$/.test(value);
      if (!isCount && !listed.has(name.toLowerCase()))
        warn(`${name} must be an integer of at least 0 in every response.`, rateLimit.pointer);
      return isCount ? Number(value) : NaN;
    });
    if (left > most) warn(`${remaining} is above ${limit}.`, rateLimit.pointer);
  }
  if (!isBodyOpen(openQuestions, documented.pointer)) judgeBody(documented, response, whose, warn);
  const name = error?.members.find(({ role }) => role === 'status')?.name;
  const object = status < 400 ? undefined : readJsonText(body);
  const shown = name !== undefined && isJsonObject(object) ? ownMember(object, name) : undefined;
  if (shown !== undefined && !jsonEquals(shown, status))
    warn(
      `${name} in the body must be ${status}, the status of the response (at /${name}).`,
      documented.pointer,
    );
}

function judgeBody(
  { content, pointer }: ResponseContract,
  response: MockResponse,
  whose: string,
  warn: Warn,
): void {
  const { body, delivery } = response;
  const type = responseHeader(response, 'Content-Type') ?? '';
  const sent = essence(type);
  const isEmpty = body === '' && (delivery?.content ?? []).length === 0;
  const media = isEmpty ? undefined : findContent(content, type);
  if (content.length === 0) {
    if (!isEmpty) warn(`The document describes no body for ${whose}.`, pointer);
  } else if (media === undefined) {
    const shown = isEmpty ? 'empty' : sent === '' ? 'without a media type' : sent;
    const types = content.map(({ mediaType }) => mediaType).join(', ');
    const place = appendPointer(pointer, 'content');
    warn(`The body is ${shown}, but ${whose} must be ${types}.`, place);
  } else if (isJsonMediaType(sent) && media.schema !== undefined) {
    const value = readJsonText(body);
    const issues = value === undefined ? [] : media.schema.validate(value);
    if (value === undefined) warn('The body is not JSON.', media.pointer);
    else if (issues[0] !== undefined)
      warn(`The body does not match its schema: ${renderIssues(issues)}.`, issues[0].schemaPointer);
  }
}
