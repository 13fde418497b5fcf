import { keyNames } from '../../../contract/openapi/credential.ts';
import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  ownMember,
} from '../../../contract/json/value.ts';
import type { Contract } from '../../../contract/contract.ts';
import { resolvePointer } from '../../../contract/json/pointer.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { compilePathMatch } from '../../../contract/openapi/path-pattern.ts';
import { decodePercent } from '../../../contract/source/percent.ts';
import {
  type MockRequest,
  type RequestHeaders,
  headerText,
  splitTarget,
} from '../../http/message.ts';
import { queryPairs, queryValues, readBodyText } from '../../http/parameter-text.ts';
import type { Call } from '../../operation/response/outcome.ts';
import { objectShapes } from '../../operation/request/input.ts';
import type { BodyCondition, StubRequest, TextCondition } from '../declaration/schemas.ts';

/** A request as stubs see it. Each part is decoded once, and only if a stub needs it. */
export class ReceivedRequest {
  readonly operation: Operation | undefined;
  readonly query: string;
  readonly #request: MockRequest;
  #path: string | undefined;
  #text: string | undefined;
  #parsed: { readonly json: JsonValue | undefined } | undefined;

  constructor({ request, query }: Call, operation: Operation | undefined) {
    this.operation = operation;
    this.query = query;
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  /** Decoded, except for slashes. */
  get path(): string {
    return (this.#path ??= decoded(splitTarget(this.#request.target).path));
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
    const mediaType = headerText(this.headers, 'content-type');
    return (this.#parsed ??= { json: readBodyText(this.text, mediaType) }).json;
  }
}

/** A server answers HEAD as it would GET (RFC 9110 section 9.3.2). */
function matchesMethod(wanted: string | undefined, sent: string): boolean {
  return wanted === undefined || wanted === sent || (wanted === 'GET' && sent === 'HEAD');
}

/** The operations whose requests a stub may match. */
export function operationsOf(
  { operation, method, path }: StubRequest,
  { operations, basePath }: Contract,
): readonly Operation[] {
  const meant = operations.filter(
    (one) => (operation ?? one.id) === one.id && matchesMethod(method, one.method),
  );
  if (path === undefined) return meant;
  const whole = decoded(basePath + withoutBase(path, basePath));
  const matchesPath = compilePath(path, basePath);
  // Parameters of either match those of the other.
  return meant.filter((one) => {
    const [own = ''] = one.path.split(/[?#]/);
    return matchesPath(decoded(basePath + own)) || compilePath(own, basePath)(whole);
  });
}

/** Names of known query parameters of an operation; undefined if any name may be valid. */
export function queryNames(
  { parameters, path }: Operation,
  { operations }: Contract,
): readonly string[] | undefined {
  const own = parameters.filter((one) => one.in === 'query');
  // The members of an object may be names of their own.
  const isOpen = parameters.some(
    ({ in: place, explode, style, schema }) =>
      place === 'querystring' ||
      (place === 'query' && explode && style !== 'deepObject' && objectShapes(schema).length > 0),
  );
  if (isOpen) return undefined;
  const names = [...own, ...queryPairs(path.split('?')[1] ?? '')].map(({ name }) => name);
  return [...new Set([...names, ...operations.flatMap((one) => keyNames(one, 'query'))])];
}

/** Compiles the path of a stub, with or without the base path, for decoded paths. */
function compilePath(template: string, basePath: string): (path: string) => boolean {
  const match = compilePathMatch(decoded(basePath + withoutBase(template, basePath)));
  return (path) => match(path) !== undefined;
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

/**
 * The first part of a request that a stub does not match; undefined if it matches all, and `` if the request
 * was not meant: operation, method or path are others, or the stub names neither operation nor path.
 */
export function findMiss(
  request: StubRequest,
  received: ReceivedRequest,
  basePath: string,
): string | undefined {
  const { operation, method, path } = request;
  const isNear =
    (operation === undefined || operation === received.operation?.id) &&
    matchesMethod(method, received.method) &&
    (path === undefined || compilePath(path, basePath)(received.path));
  const miss = isNear ? findMissingPart(request, received) : '';
  return miss === undefined || (operation ?? path) !== undefined ? miss : '';
}

function findMissingPart(
  { query = {}, headers = {}, body }: StubRequest,
  request: ReceivedRequest,
): string | undefined {
  for (const [name, wanted] of Object.entries(query))
    if (!matchesValues(wanted, queryValues(request.query, name)))
      return `the query parameter ${name}`;
  for (const [name, wanted] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const sent = Object.hasOwn(request.headers, key) ? [request.headers[key] ?? []].flat() : [];
    if (!matchesValues(wanted, sent)) return `the header ${name}`;
  }
  return body === undefined || matchesBody(body, request) ? undefined : 'the body';
}

function matchesValues(wanted: TextCondition, sent: readonly string[]): boolean {
  if (isTexts(wanted))
    return sent.length === wanted.length && sent.every((one, at) => one === wanted[at]);
  if (typeof wanted !== 'object') return sent.includes(`${wanted}`);
  const { present, contains } = wanted;
  return (
    (present === undefined || present === sent.length > 0) &&
    (contains === undefined || sent.some((one) => one.includes(contains)))
  );
}

function isTexts(wanted: TextCondition): wanted is readonly string[] {
  return Array.isArray(wanted);
}

function matchesBody(
  { equals, contains, members = {}, text, textContains }: BodyCondition,
  request: ReceivedRequest,
): boolean {
  return (
    (text === undefined || request.text === text) &&
    (textContains === undefined || request.text.includes(textContains)) &&
    (equals === undefined || isEqual(request.json, equals)) &&
    Object.entries(members).every(([pointer, wanted]) =>
      isEqual(request.json && resolvePointer(request.json, pointer), wanted),
    ) &&
    (contains === undefined || containsJson(request.json, contains))
  );
}

function isEqual(value: JsonValue | undefined, wanted: JsonValue): boolean {
  return value !== undefined && jsonEquals(value, wanted);
}

/** A value has at least the members of another, at any depth. */
function containsJson(value: JsonValue | undefined, wanted: JsonValue): boolean {
  if (value === undefined) return false;
  if (isJsonArray(wanted))
    return (
      isJsonArray(value) &&
      value.length === wanted.length &&
      wanted.every((one, at) => containsJson(value[at], one))
    );
  if (!isJsonObject(wanted)) return jsonEquals(value, wanted);
  return (
    isJsonObject(value) &&
    Object.entries<JsonValue | undefined>({ ...wanted }).every(
      ([name, one]) => one === undefined || containsJson(ownMember(value, name), one),
    )
  );
}
