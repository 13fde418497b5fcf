import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  ownMember,
  renderJson,
  resolvePointer,
} from '../../../contract/index.ts';
import type { RequestHeaders } from '../../http/message.ts';
import { queryValues } from '../../http/query.ts';
import { excerpt } from '../../operation/response/refusal.ts';
import type { ReceivedRequest } from './received-request.ts';
import type { BodyCondition, StubRequest, TextCondition } from './stub.ts';

/** Why a request does not fulfil what a stub wants of query, header and body; undefined: it does. */
export function explainMiss(
  { query = {}, headers = {}, body }: StubRequest,
  request: ReceivedRequest,
): string | undefined {
  for (const [name, wanted] of Object.entries(query)) {
    const miss = explainText(wanted, queryValues(request.query, name));
    if (miss !== undefined) return `the query parameter ${name} ${miss}`;
  }
  for (const [name, wanted] of Object.entries(headers)) {
    const miss = explainText(wanted, fieldValues(request.headers, name));
    if (miss !== undefined) return `the header ${name} ${miss}`;
  }
  return body === undefined ? undefined : explainBody(body, request);
}

function fieldValues(headers: RequestHeaders, name: string): readonly string[] {
  const field = name.toLowerCase();
  const value = Object.hasOwn(headers, field) ? headers[field] : undefined;
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** What was sent is not quoted: it may be a key. */
function explainText(wanted: TextCondition, sent: readonly string[]): string | undefined {
  if (isList(wanted)) {
    const isSame = sent.length === wanted.length && sent.every((one, at) => one === wanted[at]);
    return isSame ? undefined : `is not ${wanted.map(quote).join(' and ')}`;
  }
  if (typeof wanted !== 'object') {
    if (sent.includes(String(wanted))) return undefined;
    return sent.length === 0 ? 'is missing' : `is not ${quote(String(wanted))}`;
  }
  const { present, contains } = wanted;
  if (present === true && sent.length === 0) return 'is missing';
  if (present === false && sent.length > 0) return 'is present';
  if (contains === undefined || sent.some((one) => one.includes(contains))) return undefined;
  return sent.length === 0 ? 'is missing' : `does not contain ${quote(contains)}`;
}

function isList(wanted: TextCondition): wanted is readonly string[] {
  return Array.isArray(wanted);
}

function explainBody(
  { equals, contains, members = {}, text, textContains }: BodyCondition,
  request: ReceivedRequest,
): string | undefined {
  if (text !== undefined && request.text !== text) return `the body is not the text ${quote(text)}`;
  if (textContains !== undefined && !request.text.includes(textContains))
    return `the body does not contain the text ${quote(textContains)}`;
  const pointers = Object.entries(members);
  if (equals === undefined && contains === undefined && pointers.length === 0) return undefined;
  const { json } = request;
  if (json === undefined)
    return request.text === '' ? 'the body is missing' : 'the body is not JSON';
  if (equals !== undefined && !jsonEquals(json, equals)) return `the body is not ${show(equals)}`;
  for (const [pointer, wanted] of pointers) {
    const found = resolvePointer(json, pointer);
    if (found === undefined) return `the body has no ${pointer}`;
    if (!jsonEquals(found, wanted)) return `${pointer} of the body is not ${show(wanted)}`;
  }
  const place = contains === undefined ? undefined : findLack(json, contains, '');
  if (place === undefined) return undefined;
  return place === ''
    ? `the body is not ${show(contains ?? null)}`
    : `${place} of the body has another value`;
}

/** Where a value has not what another has; a JSON pointer, undefined where it has all of it. */
function findLack(value: JsonValue, wanted: JsonValue, at: string): string | undefined {
  if (isJsonArray(wanted)) {
    if (!isJsonArray(value) || value.length !== wanted.length) return at;
    return firstLack(wanted, (one, index) => findLack(value[index] ?? null, one, `${at}/${index}`));
  }
  if (!isJsonObject(wanted)) return jsonEquals(value, wanted) ? undefined : at;
  if (!isJsonObject(value)) return at;
  return firstLack(Object.entries<JsonValue | undefined>({ ...wanted }), ([name, one]) => {
    const member = ownMember(value, name);
    const place = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (one === undefined) return undefined;
    return member === undefined ? place : findLack(member, one, place);
  });
}

function firstLack<Value>(
  values: readonly Value[],
  find: (value: Value, index: number) => string | undefined,
): string | undefined {
  for (const [index, value] of values.entries()) {
    const lack = find(value, index);
    if (lack !== undefined) return lack;
  }
  return undefined;
}

const mostShown = 100;

function show(value: JsonValue): string {
  return excerpt(renderJson(value), mostShown);
}

function quote(text: string): string {
  return JSON.stringify(excerpt(text, mostShown));
}
