import { keyNames } from '../../contract/openapi/credential.ts';
import { isFieldName, isFieldValue } from '../../contract/openapi/header.ts';
import { encodePathText, withoutQuery } from '../../contract/openapi/path-pattern.ts';
import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonValue,
} from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { plainValues } from '../generate/plain-value.ts';
import { chooseContent, deepPairs, renderPlainText } from '../generate/request-body.ts';
import { once } from '../../contract/memo/once.ts';
import { isJsonMediaType } from '../../contract/openapi/media-type.ts';

/** The parameter values of a request. */
export interface ParameterChoice {
  /** Values of path parameters by name, as texts. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Values of query parameters by name, as texts. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Values of parameters in any location. */
  readonly values?: ReadonlyMap<Parameter, JsonValue> | undefined;
  /** A required parameter that is left out on purpose. */
  readonly without?: Parameter | undefined;
}

/**
 * Renders path and query of a request. Missing required parameters get a valid value.
 * @throws {UnsendableRequest} where no value of one is valid
 */
export function renderTarget(operation: Operation, choice: ParameterChoice): string {
  // Values are encoded already.
  const path = withoutQuery(operation.path).replace(
    /\{([^{}]+)\}|[^{}]+/g,
    (text, name?: string) => {
      if (name === undefined) return encodePathText(text);
      const given = choice.path?.[name];
      const parameter = operation.parameters.find(
        (each) => each.in === 'path' && each.name === name,
      );
      if (parameter === undefined) return encode(given ?? '');
      const value = choice.values?.get(parameter) ?? given ?? validParameterValue(parameter);
      return renderParameter(parameter, value ?? '');
    },
  );
  const query = [
    new URLSearchParams(choice.query).toString(),
    ...renderAll(operation, 'query', choice).map(([, text]) => text),
    ...renderAll(operation, 'querystring', choice).map(([, text]) => text),
  ]
    .filter((part) => part !== '')
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}

/**
 * Renders the header and cookie parameters that a request names or requires, names in lower case.
 * @throws {UnsendableRequest}
 */
export function renderParameterHeaders(
  operation: Operation,
  choice: ParameterChoice,
): Readonly<Record<string, string>> {
  const cookies = renderAll(operation, 'cookie', choice).map(([, text]) => text);
  return {
    ...Object.fromEntries(renderAll(operation, 'header', choice)),
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
  };
}

/** The parameters in one location that are sent: names in lower case, and texts. */
function renderAll(
  { parameters, security }: Operation,
  place: Parameter['in'],
  { query, values, without }: ParameterChoice,
): readonly Pair[] {
  // A key that is also described as a parameter is sent with the credential only.
  const keys = keyNames({ security }, place).map((name) => name.toLowerCase());
  return parameters.flatMap((parameter) => {
    const { name } = parameter;
    if (parameter.in !== place || parameter === without) return [];
    if (keys.includes(name.toLowerCase())) return [];
    if (place === 'query' && query?.[name] !== undefined) return [];
    const given = values?.get(parameter);
    if (given === undefined && !parameter.required) return [];
    const value = given ?? validParameterValue(parameter);
    if (value !== undefined)
      return [[name.toLowerCase(), renderParameter(parameter, value)] as const];
    throw new UnsendableRequest(`the ${place} parameter ${name} has no valid value`);
  });
}

/** A request that HTTP or the suite's client cannot express, so it is not sent. */
export class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest';
}

/** Connection headers, which the client sets itself (RFC 9110 section 7.6.1). */
const own: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Rejects requests that the client would not send, or that may address another operation, so that
 * no target is blamed for them.
 * @throws {UnsendableRequest}
 */
export function refuseUnsendable(
  { path, isAddressable }: Operation,
  target: string,
  headers: readonly Pair[],
): void {
  if (!isAddressable)
    throw new UnsendableRequest(
      `no request can address ${path}: an OpenAPI path has neither query nor fragment`,
    );
  const reason = explainUnsendable(target, headers);
  if (reason !== undefined)
    throw new UnsendableRequest(`the client of the suite cannot send it: ${reason}`);
}

function explainUnsendable(target: string, headers: readonly Pair[]): string | undefined {
  if (/[^\x21-\xff]/.test(target))
    return `the path and query ${JSON.stringify(target)} contain characters that are not allowed in a request`;
  for (const [name, value] of headers) {
    if (!isFieldName(name)) return `${JSON.stringify(name)} is not a header name`;
    if (own.has(name.toLowerCase())) return `the header ${name} is set by the client itself`;
    if (!isFieldValue(value))
      return `the header ${name} would contain characters that are not allowed in a header`;
  }
  return undefined;
}

/**
 * An ordinary valid value that the location of a parameter can carry: an example of the document,
 * or one made from the schema. Undefined if none is found.
 */
export const validParameterValue = once((parameter: Parameter): JsonValue | undefined => {
  const { schema, examples } = parameter;
  const fits = (value: JsonValue): boolean => isCarried(parameter, value) && schema.isValid(value);
  for (const { value } of examples) if (isCarried(parameter, value)) return value;
  for (const value of plainValues(schema, membersOf(schema))) if (fits(value)) return value;
  return undefined;
});

/** Longest parameter in a URL, in characters, because servers reject longer URLs. */
const longest = 4000;

/** An object without members would not be sent: if none is required, all are given. */
function membersOf(schema: SchemaNode): 'all' | 'required' {
  const { types, properties, required } = schema.shape();
  const mayBeEmpty = types.includes('object') && properties.size > 0 && required.size === 0;
  return mayBeEmpty ? 'all' : 'required';
}

/** Whether the location of a parameter can carry a value without changing it. */
export function isCarried(parameter: Parameter, value: JsonValue): boolean {
  if (isEmpty(value) || (value === null && parameter.mediaType === undefined)) return false;
  const text = renderParameter(parameter, value);
  if (parameter.in === 'path') return !/^(\.|\.\.|)$/.test(text);
  // A field value has visible characters, with white space only inside (RFC 9110 section 5.5).
  if (parameter.in === 'header') return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  return text.length > 0 && text.length <= longest;
}

function isEmpty(value: JsonValue): boolean {
  // An empty object in a list is sent as JSON.
  if (isJsonArray(value))
    return value.length === 0 || value.some((one) => !isJsonObject(one) && isEmpty(one));
  return isJsonObject(value) ? Object.keys(value).length === 0 : value === '';
}

type Pair = readonly [name: string, text: string];

/** Text before the first item or member of a style, and before each one if exploded. */
const openers: Partial<Record<Parameter['style'], string>> = { label: '.', matrix: ';' };

/** Text between items or members that are not exploded. Default: a comma. */
const delimiters: Partial<Record<Parameter['style'], string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09',
};

/**
 * Renders a parameter by its style (OpenAPI 3.1, Style Examples), percent-encoded except in
 * headers.
 */
function renderParameter(parameter: Parameter, value: JsonValue): string {
  const { in: place, name, style, explode, mediaType } = parameter;
  const write = place === 'header' ? (text: string) => text : encode;
  const writePair = ([key, text]: Pair): string => `${write(key)}=${write(text)}`;
  const isObject = isJsonObject(value);
  if (isObject && place === 'querystring' && mediaType === 'application/x-www-form-urlencoded')
    return Object.entries(value)
      .flatMap(([key, member]) => deepPairs(key, member))
      .map(writePair)
      .join('&');
  const isNamed = style !== 'simple' && style !== 'label';
  if (mediaType !== undefined) {
    const text = mediaType.includes('json') ? renderJson(value) : renderPlainText(value);
    return place === 'query' || place === 'cookie' ? writePair([name, text]) : write(text);
  }
  if (isObject && style === 'deepObject') return deepPairs(name, value).map(writePair).join('&');
  const before = openers[style] ?? '';
  const pairs = listPairs(name, value);
  if (explode) {
    const between = before || (isNamed ? (place === 'cookie' ? '; ' : '&') : ',');
    const parts = pairs.map((pair) => (isNamed || isObject ? writePair(pair) : write(pair[1])));
    return before + parts.join(between);
  }
  const texts = pairs.flatMap(([key, text]) => (isObject ? [key, text] : [text]));
  const joined = texts.map(write).join(delimiters[style] ?? ',');
  return before + (isNamed ? `${write(name)}=${joined}` : joined);
}

/** Pairs each item with the parameter's name, and each member with its own. */
function listPairs(name: string, value: JsonValue): readonly Pair[] {
  if (isJsonArray(value)) return value.map((item) => [name, renderPlainText(item)]);
  if (!isJsonObject(value)) return [[name, renderPlainText(value)]];
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [[key, renderPlainText(member)]],
  );
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Names of headers whose value is new in each request. */
export const idempotencyNames = /idempoten/i;

/** The header with the SHA-256 of the waivers, which ties a log to the waivers of its run. */
export const waiversHeader = 'petstore-waivers';

/** The headers that every request of an operation has, besides parameters and credentials. */
export function plainHeaders(
  operation: Operation,
  hasBody: boolean,
): Readonly<Record<string, string>> {
  const accept = acceptOf(operation);
  return hasBody ? { accept, 'content-type': bodyMediaType(operation) } : { accept };
}

/**
 * JSON where a success can be JSON; else all media types of its successes. If they have no body, the
 * same for its errors: a server may refuse a request for JSON that it never returns (406).
 */
const acceptOf = once(({ responses }: Operation): string => {
  const successes = responses.filter(({ status }) => /^[23]/.test(status) || status === 'default');
  const hasBody = successes.some(({ content }) => content.length > 0);
  const served = (hasBody ? successes : responses).flatMap(({ content }) =>
    content.map(({ mediaType }) => mediaType),
  );
  const wanted = served.find(isJsonMediaType) ?? 'application/json';
  const takesJson =
    served.length === 0 || served.some((each) => isJsonMediaType(each) || /\*/.test(each));
  if (takesJson) return wanted === 'application/json' ? wanted : `${wanted}, application/json`;
  return `${[...new Set(served)].join(', ')}, application/json`;
});

/** The default media type of a request body. */
function bodyMediaType(operation: Operation): string {
  const mediaType = chooseContent(operation)?.mediaType ?? 'application/json';
  return mediaType.includes('*') ? 'application/json' : mediaType;
}
