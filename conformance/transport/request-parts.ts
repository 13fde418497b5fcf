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
import { deepPairs } from '../generate/request-body.ts';
import { once } from '../memo/once.ts';

/** What a request says of the parameters of its operation. */
export interface ParameterChoice {
  /** Values of path parameters by name, as texts. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Values of query parameters by name, as texts. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Values of parameters of any place. */
  readonly values?: ReadonlyMap<Parameter, JsonValue> | undefined;
  /** A required parameter that is left out on purpose. */
  readonly without?: Parameter | undefined;
}

/**
 * Path and query of a request; required parameters that it does not name get a valid value.
 * @throws {UnsendableRequest} where no value of one is valid
 */
export function renderTarget(operation: Operation, choice: ParameterChoice): string {
  // Values are encoded already.
  const path = withoutQuery(operation.path).replace(
    /\{([^{}]+)\}|[^{}]+/g,
    (text, name?: string) => {
      if (name === undefined) return encodePathText(text);
      const parameter = operation.parameters.find(
        (each) => each.in === 'path' && each.name === name,
      );
      const value = parameter && (choice.values?.get(parameter) ?? choice.path?.[name]);
      if (parameter === undefined) return encodeURIComponent(choice.path?.[name] ?? '');
      return renderPathParameter(parameter, value ?? validParameterValue(parameter) ?? '');
    },
  );
  const named = new URLSearchParams(choice.query).toString();
  const others = sent(operation, 'query', choice).map(([parameter, value]) =>
    renderQueryParameter(parameter, value),
  );
  const whole = sent(operation, 'querystring', choice).map(([parameter, value]) =>
    renderQueryString(parameter, value),
  );
  const query = [named, ...others, ...whole].filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}

/**
 * The headers that carry parameters, names in lower case: those that a request names or must have.
 * @throws {UnsendableRequest}
 */
export function renderParameterHeaders(
  operation: Operation,
  choice: ParameterChoice,
): Readonly<Record<string, string>> {
  const fields = sent(operation, 'header', choice).map(([parameter, value]) => [
    parameter.name.toLowerCase(),
    renderHeaderParameter(parameter, value),
  ]);
  const cookies = sent(operation, 'cookie', choice).map(([parameter, value]) =>
    renderCookieParameter(parameter, value),
  );
  return {
    ...Object.fromEntries(fields),
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
  };
}

function sent(
  { parameters, security }: Operation,
  place: Parameter['in'],
  { query, values, without }: ParameterChoice,
): readonly (readonly [Parameter, JsonValue])[] {
  return parameters.flatMap((parameter) => {
    if (parameter.in !== place || parameter === without) return [];
    if (isCredentialOf(security, parameter)) return [];
    if (place === 'query' && query?.[parameter.name] !== undefined) return [];
    const given = values?.get(parameter);
    if (given === undefined && !parameter.required) return [];
    const value = given ?? validParameterValue(parameter);
    if (value !== undefined) return [[parameter, value] as const];
    throw new UnsendableRequest(`the ${place} parameter ${parameter.name} has no valid value`);
  });
}

/** Some documents describe a key as a parameter as well: it goes with the credential. */
function isCredentialOf(security: Operation['security'], { name, in: place }: Parameter): boolean {
  return security
    .flat()
    .some(
      (scheme) =>
        scheme.kind === 'api-key' &&
        scheme.in === place &&
        scheme.name.toLowerCase() === name.toLowerCase(),
    );
}

type Fields = readonly (readonly [name: string, value: string])[];

/** A request that HTTP, or the client of the suite, has no form for: it is not sent. */
export class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest';
}

/** Fields that are of the connection, which the client keeps to itself (RFC 9110 section 7.6.1). */
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
 * Refuses what the client would not send, or may mean another operation, so that no target is blamed
 * for it.
 * @throws {UnsendableRequest}
 */
export function refuseUnsendable(
  { path, isAddressable }: Operation,
  target: string,
  headers: Fields,
): void {
  if (!isAddressable)
    throw new UnsendableRequest(
      `no request can address ${path}: an OpenAPI path has neither query nor fragment`,
    );
  const reason = explainTarget(target) ?? explainFields(headers);
  if (reason !== undefined)
    throw new UnsendableRequest(`the client of the suite cannot send it: ${reason}`);
}

function explainTarget(target: string): string | undefined {
  if (!/[^\x21-\xff]/.test(target)) return undefined;
  return `the path and query ${JSON.stringify(target)} contain characters that are not allowed in a request`;
}

function explainFields(headers: Fields): string | undefined {
  for (const [name, value] of headers) {
    if (!isFieldName(name)) return `${JSON.stringify(name)} is not a header name`;
    if (own.has(name.toLowerCase())) return `the header ${name} is set by the client itself`;
    if (!isFieldValue(value))
      return `the header ${name} would contain characters that are not allowed in a header`;
  }
  return undefined;
}

/**
 * An ordinary value that a parameter takes and that its place in a request can carry: an example of
 * the document, else one made from the schema. Undefined where none is found.
 */
export const validParameterValue = once((parameter: Parameter): JsonValue | undefined => {
  const { schema, examples } = parameter;
  const fits = (value: JsonValue): boolean =>
    isCarried(parameter, value) && schema.validate(value).length === 0;
  for (const { value } of examples) if (isCarried(parameter, value)) return value;
  for (const value of plainValues(schema, membersOf(schema))) if (fits(value)) return value;
  return undefined;
});

/** Characters of a parameter in an address: servers refuse longer addresses. */
const longest = 4000;

/** A parameter without any member is none: where none is required, all are given. */
function membersOf(schema: SchemaNode): 'all' | 'required' {
  const { types, properties, required } = schema.shape();
  const mayBeEmpty = types.includes('object') && properties.size > 0 && required.size === 0;
  return mayBeEmpty ? 'all' : 'required';
}

/** Whether the place of a parameter can carry a value, so that it reads back as it was. */
export function isCarried(parameter: Parameter, value: JsonValue): boolean {
  if (isEmpty(value) || (value === null && parameter.mediaType === undefined)) return false;
  switch (parameter.in) {
    case 'path':
      return !/^(\.|\.\.|)$/.test(renderPathParameter(parameter, value));
    case 'header':
      // A field value has visible characters, blanks only inside (RFC 9110 section 5.5).
      return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(
        renderHeaderParameter(parameter, value),
      );
    case 'cookie':
    case 'query':
    case 'querystring': {
      const render = parameter.in === 'querystring' ? renderQueryString : renderQueryParameter;
      const { length } = render(parameter, value);
      return length > 0 && length <= longest;
    }
  }
}

function isEmpty(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0 || value.some(isEmpty);
  return isJsonObject(value) ? Object.keys(value).length === 0 : value === '';
}

/** A name and a value of a query, a header or a cookie, not encoded where `isRaw` is left out. */
type Pair = [name: string, value: string];

/** A parameter as a path carries it, encoded; the text between two slashes. */
function renderPathParameter(parameter: Parameter, value: JsonValue): string {
  const { name, style, explode, mediaType } = parameter;
  if (mediaType !== undefined) return encode(renderContent(mediaType, value));
  const simple = renderJoined(value, explode, ',', encode);
  if (style === 'simple') return simple;
  if (style === 'label') return `.${explode ? renderJoined(value, true, '.', encode) : simple}`;
  if (!explode || !isStructure(value)) return `;${encode(name)}=${simple}`;
  return renderPairs(name, value)
    .map(([key, text]) => `;${encode(key)}=${encode(text)}`)
    .join('');
}

/** A parameter as a query carries it, encoded: `tag=a&tag=b`; empty where nothing is to be sent. */
function renderQueryParameter(parameter: Parameter, value: JsonValue): string {
  const { name, style, explode, mediaType } = parameter;
  const key = encode(name);
  if (mediaType !== undefined) return `${key}=${encode(renderContent(mediaType, value))}`;
  if (style === 'deepObject' && isJsonObject(value)) return joinPairs(deepPairs(name, value));
  if (explode && isStructure(value)) return joinPairs(renderPairs(name, value));
  const delimiter = delimiters[style] ?? ',';
  return `${key}=${renderJoined(value, false, delimiter, encode)}`;
}

/** A parameter that is the whole query (OpenAPI 3.2), encoded. */
function renderQueryString({ mediaType = '' }: Parameter, value: JsonValue): string {
  return mediaType === 'application/x-www-form-urlencoded' && isJsonObject(value)
    ? joinPairs(Object.entries(value).flatMap(([name, member]) => deepPairs(name, member)))
    : encode(renderContent(mediaType, value));
}

const delimiters: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

/** A parameter as a header carries it. */
function renderHeaderParameter(parameter: Parameter, value: JsonValue): string {
  const { explode, mediaType } = parameter;
  if (mediaType !== undefined) return renderContent(mediaType, value);
  return renderJoined(value, explode, ',', (text) => text);
}

/** A parameter as the `Cookie` header carries it: `name=value`. */
function renderCookieParameter(parameter: Parameter, value: JsonValue): string {
  return renderQueryParameter(parameter, value).replaceAll('&', '; ');
}

function isStructure(value: JsonValue): boolean {
  return isJsonArray(value) || isJsonObject(value);
}

function renderContent(mediaType: string, value: JsonValue): string {
  return mediaType.includes('json') || isStructure(value) ? renderJson(value) : renderText(value);
}

/** One text: items by their delimiter, members as `name,value`, or `name=value` if exploded. */
function renderJoined(
  value: JsonValue,
  explode: boolean,
  delimiter: string,
  write: (text: string) => string,
): string {
  if (isJsonArray(value)) return value.map((item) => write(renderText(item))).join(delimiter);
  if (!isJsonObject(value)) return write(renderText(value));
  return renderPairs('', value)
    .map(([name, text]) => `${write(name)}${explode ? '=' : delimiter}${write(text)}`)
    .join(delimiter);
}

/** Each item under the parameter's name, each member under its own. */
function renderPairs(name: string, value: JsonValue): readonly Pair[] {
  if (isJsonArray(value)) return value.map((item) => [name, renderText(item)]);
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, member]) =>
    member === undefined ? [] : [[key, renderText(member)]],
  );
}

function joinPairs(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** A value as plain text: strings as they are, all else as JSON. */
function renderText(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
