import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  renderJson,
} from '../../../contract/json/value.ts';
import type { Contract } from '../../../contract/contract.ts';
import { appendPointer, resolvePointer } from '../../../contract/json/pointer.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { compilePathMatch } from '../../../contract/openapi/path-pattern.ts';
import { decodePercent } from '../../../contract/source/percent.ts';
import { essence } from '../../../contract/openapi/media-type.ts';
import { type MockRequest, type RequestHeaders, headerText } from '../../http/message.ts';
import { queryPairs, queryValues, readJsonText } from '../../http/parameter-text.ts';
import type { Call } from '../../operation/response/outcome.ts';
import { objectShapes } from '../../operation/request/input.ts';
import { excerpt } from '../../operation/response/refusal.ts';
import { splitTarget } from '../../http/path-template.ts';
import type { BodyCondition, StubRequest, TextCondition } from '../declaration/schemas.ts';

/** A request as stubs look at it. The body is decoded and parsed once, and only if a stub looks at it. */
export class ReceivedRequest {
  readonly operation: Operation | undefined;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  readonly query: string;
  readonly #request: MockRequest;
  #text: string | undefined;
  #parsed: { readonly json: JsonValue | undefined } | undefined;

  constructor({ request, query }: Call, operation: Operation | undefined) {
    this.operation = operation;
    this.path = splitTarget(request.target).path;
    this.query = query;
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get headers(): RequestHeaders {
    return this.#request.headers;
  }

  /** The body as text; `` for none. */
  get text(): string {
    const { content } = this.#request;
    return (this.#text ??= content === 'too-large' ? '' : new TextDecoder().decode(content));
  }

  /** The body as JSON, a form as an object of texts; undefined for anything else. */
  get json(): JsonValue | undefined {
    return (this.#parsed ??= { json: parseBody(this.text, this.headers) }).json;
  }
}

function parseBody(text: string, headers: RequestHeaders): JsonValue | undefined {
  if (text === '') return undefined;
  if (essence(headerText(headers, 'content-type') ?? '') === 'application/x-www-form-urlencoded')
    return Object.fromEntries(queryPairs(text).map((pair) => [pair.name, pair.text]));
  return readJsonText(text);
}

/** A server answers HEAD as it would GET (RFC 9110 section 9.3.2). */
export function matchesMethod(wanted: string | undefined, sent: string): boolean {
  return wanted === undefined || wanted === sent || (wanted === 'GET' && sent === 'HEAD');
}

/** True if a stub may match requests to an operation. */
export function concerns(
  { operation, method, path }: StubRequest,
  one: Operation,
  basePath: string,
): boolean {
  if (operation !== undefined && operation !== one.id) return false;
  if (!matchesMethod(method, one.method)) return false;
  if (path === undefined) return true;
  // Parameters of either match those of the other.
  const own = one.path.split(/[?#]/)[0] ?? '';
  return (
    compilePath(own, basePath)(basePath + withoutBase(path, basePath)) ||
    compilePath(path, basePath)(basePath + own)
  );
}

/** Names that mean something in the query of an operation; undefined if any may. */
export function queryNames(
  { parameters, path }: Operation,
  { operations }: Contract,
): readonly string[] | undefined {
  const own = parameters.filter((one) => one.in === 'query');
  // The members of an object may be names of their own.
  const isOpen = own.some(
    ({ explode, style, schema }) =>
      explode && style !== 'deepObject' && objectShapes(schema).length > 0,
  );
  if (isOpen) return undefined;
  const names = [...own, ...queryPairs(path.split('?')[1] ?? '')].map(({ name }) => name);
  for (const scheme of operations.flatMap(({ security }) => security.flat()))
    if (scheme.kind === 'api-key' && scheme.in === 'query') names.push(scheme.name);
  return [...new Set(names)];
}

/** Compiles a path of a stub, with or without the base path, for paths as they are sent. */
export function compilePath(template: string, basePath: string): (path: string) => boolean {
  const match = compilePathMatch(decoded(basePath + withoutBase(template, basePath)));
  return (path) => match(decoded(path)) !== undefined;
}

/** The path of a template without the base path. */
export function withoutBase(template: string, basePath: string): string {
  const hasBase = basePath !== '' && `${template}/`.startsWith(`${basePath}/`);
  return hasBase ? template.slice(basePath.length) : template;
}

/** An encoded slash stays encoded: it is part of a segment. */
function decoded(path: string): string {
  const segments = path.split('/').map((one) => decodePercent(one) ?? one);
  return segments.map((one) => one.replaceAll('/', '%2F')).join('/');
}

/** Why a request does not match query, headers and body of a stub; undefined if it does. */
export function explainMiss(
  { query = {}, headers = {}, body }: StubRequest,
  request: ReceivedRequest,
): string | undefined {
  for (const [name, wanted] of Object.entries(query)) {
    const miss = explainText(wanted, queryValues(request.query, name));
    if (miss !== undefined) return `the query parameter ${name} ${miss}`;
  }
  for (const [name, wanted] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const sent = Object.hasOwn(request.headers, key) ? [request.headers[key] ?? []].flat() : [];
    const miss = explainText(wanted, sent);
    if (miss !== undefined) return `the header ${name} ${miss}`;
  }
  return body === undefined ? undefined : explainBody(body, request);
}

/** What was sent is not quoted: it may be a key. */
function explainText(wanted: TextCondition, sent: readonly string[]): string | undefined {
  if (isTexts(wanted)) {
    const isSame = sent.length === wanted.length && sent.every((one, at) => one === wanted[at]);
    return isSame ? undefined : `is not ${wanted.map(quote).join(' and ')}`;
  }
  if (typeof wanted !== 'object') {
    if (sent.includes(`${wanted}`)) return undefined;
    return sent.length === 0 ? 'is missing' : `is not ${quote(`${wanted}`)}`;
  }
  const { present, contains } = wanted;
  if (present === false && sent.length > 0) return 'is present';
  if (sent.length === 0)
    return present === true || contains !== undefined ? 'is missing' : undefined;
  if (contains === undefined || sent.some((one) => one.includes(contains))) return undefined;
  return `does not contain ${quote(contains)}`;
}

function isTexts(wanted: TextCondition): wanted is readonly string[] {
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
  const place = contains === undefined ? undefined : findDifference(json, contains, '');
  if (place === '') return `the body is not ${show(contains ?? null)}`;
  return place && `${place} of the body has another value`;
}

/** The JSON pointer to where a value does not contain another; undefined if it does. */
function findDifference(value: JsonValue, wanted: JsonValue, at: string): string | undefined {
  if (!isJsonArray(wanted) && !isJsonObject(wanted))
    return jsonEquals(value, wanted) ? undefined : at;
  if (isJsonArray(wanted) !== isJsonArray(value) || !(isJsonArray(value) || isJsonObject(value)))
    return at;
  if (isJsonArray(wanted) && Object.keys(value).length !== wanted.length) return at;
  const members = new Map<string, JsonValue>(Object.entries(Object(value)));
  for (const [name, one] of Object.entries<JsonValue>(Object(wanted))) {
    const member = members.get(name);
    const place = appendPointer(at, name);
    const found = member === undefined ? place : findDifference(member, one, place);
    if (found !== undefined) return found;
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
