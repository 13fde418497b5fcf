import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../../contract/json/value.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';

/** A name and a value of a query, a header or a cookie, not encoded where `isRaw` is left out. */
type Pair = readonly [name: string, value: string];

/** A parameter as a path carries it, encoded; the text between two slashes. */
export function renderPathParameter(parameter: Parameter, value: JsonValue): string {
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
export function renderQueryParameter(parameter: Parameter, value: JsonValue): string {
  const { name, style, explode, mediaType } = parameter;
  const key = encode(name);
  if (mediaType !== undefined) return `${key}=${encode(renderContent(mediaType, value))}`;
  if (style === 'deepObject' && isJsonObject(value)) return joinPairs(deepPairs(name, value));
  if (explode && isStructure(value)) return joinPairs(renderPairs(name, value));
  const delimiter = delimiters[style] ?? ',';
  return `${key}=${renderJoined(value, false, delimiter, encode)}`;
}

/** A parameter that is the whole query (OpenAPI 3.2), encoded. */
export function renderQueryString({ mediaType = '' }: Parameter, value: JsonValue): string {
  return mediaType === 'application/x-www-form-urlencoded' && isJsonObject(value)
    ? joinPairs(deepMembers(value))
    : encode(renderContent(mediaType, value));
}

/** Members of a form: those of an object within it as `name[member]`. */
function deepMembers(value: JsonObject): readonly Pair[] {
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : deepPairs(name, member),
  );
}

const delimiters: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

/** A parameter as a header carries it. */
export function renderHeaderParameter(parameter: Parameter, value: JsonValue): string {
  const { explode, mediaType } = parameter;
  if (mediaType !== undefined) return renderContent(mediaType, value);
  return renderJoined(value, explode, ',', (text) => text);
}

/** A parameter as the `Cookie` header carries it: `name=value`. */
export function renderCookieParameter(parameter: Parameter, value: JsonValue): string {
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
  return Object.entries(value)
    .flatMap(([name, member]) =>
      member === undefined
        ? []
        : [`${write(name)}${explode ? '=' : delimiter}${write(renderText(member))}`],
    )
    .join(delimiter);
}

/** Each item under the parameter's name, each member under its own. */
function renderPairs(name: string, value: JsonValue): readonly Pair[] {
  if (isJsonArray(value)) return value.map((item) => [name, renderText(item)]);
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([key, member]) =>
    member === undefined ? [] : [[key, renderText(member)]],
  );
}

/** `name[member]`, members of members further inside, and items under the name of their array. */
function deepPairs(name: string, value: JsonValue): readonly Pair[] {
  if (isJsonArray(value)) return value.flatMap((item) => deepPairs(name, item));
  if (!isJsonObject(value)) return [[name, renderText(value)]];
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : deepPairs(`${name}[${key}]`, member),
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
