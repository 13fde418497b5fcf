import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonValue,
} from '../../contract/json/value.ts';
import { isJsonMediaType, jsonContent, type MediaType } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { once } from '../memo/once.ts';
import { UndrawableSchema } from './arbitrary.ts';
import { plainRequestValue } from './plain-value.ts';

/** The body of a request as it is sent. */
export interface RequestBodyText {
  readonly body: string;
  readonly contentType: string;
}

/**
 * An ordinary valid body for an operation; undefined if it accepts none. JSON if possible,
 * otherwise a form, otherwise another media type as text.
 * @throws {UndrawableSchema} if no valid value is found
 */
export const plainRequestBody = once((operation: Operation): RequestBodyText | undefined => {
  const media = chooseContent(operation);
  if (media === undefined) return undefined;
  const value = plainContentValue(media);
  // A form without members would be an empty body.
  const isBare = isForm(media.mediaType) && isJsonObject(value) && Object.keys(value).length === 0;
  const whole = isBare && media.schema ? plainRequestValue(media.schema, 'all') : undefined;
  return renderRequestBody(media, whole ?? value);
});

/** The media type that bodies are sent as. */
export function chooseContent({ requestBody }: Operation): MediaType | undefined {
  const content = requestBody?.content ?? [];
  const forms = content.filter(({ mediaType }) => isForm(mediaType));
  return jsonContent(content) ?? forms[0] ?? content[0];
}

/** An ordinary valid value of a media type. */
function plainContentValue({ schema, examples }: MediaType): JsonValue {
  const [example] = examples;
  if (example !== undefined) return example.value;
  if (schema === undefined) return {};
  const value = plainRequestValue(schema);
  if (value === undefined) throw new UndrawableSchema(schema);
  return value;
}

/** A value as the text of a media type. */
export function renderRequestBody(
  { name, mediaType, deepMembers }: MediaType,
  value: JsonValue,
): RequestBodyText {
  if (isJsonMediaType(mediaType) || mediaType.includes('*/*'))
    return { body: renderJson(value), contentType: concrete(name) };
  if (mediaType === 'application/x-www-form-urlencoded')
    return { body: renderForm(value, deepMembers), contentType: mediaType };
  if (mediaType.startsWith('multipart/')) {
    const contentType = `${mediaType.replace('*', 'form-data')}; boundary=${boundary}`;
    return { body: renderMultipart(value), contentType };
  }
  if (/[/+]xml$/.test(mediaType))
    return { body: `<?xml version="1.0"?>${renderXml('root', value)}`, contentType: mediaType };
  return { body: renderPlainText(value), contentType: concrete(mediaType) };
}

/** A media type without wildcards. */
function concrete(mediaType: string): string {
  if (mediaType.includes('json')) return mediaType.replace('*', 'application');
  if (mediaType === '*/*' || mediaType === 'application/*') return 'application/json';
  return mediaType.replace('/*', '/plain');
}

function isForm(mediaType: string): boolean {
  return mediaType === 'application/x-www-form-urlencoded' || mediaType.startsWith('multipart/');
}

/**
 * Strings unchanged, everything else as JSON. An empty object becomes a text, because an empty body
 * would be none.
 */
export function renderPlainText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return isJsonObject(value) && Object.keys(value).length === 0 ? 'text' : renderJson(value);
}

/** Members as pairs; items of an array under the same name. */
function pairsOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, member]) => {
    if (member === undefined || member === null) return [];
    return isJsonArray(member)
      ? member.map((item) => [name, item] as const)
      : [[name, member] as const];
  });
}

/** Renders members as a query string; those in `deepMembers` with brackets. */
export function renderForm(value: JsonValue, deepMembers: readonly string[] = []): string {
  const pairs = pairsOf(value).flatMap(([name, member]): [string, string][] =>
    deepMembers.includes(name) ? deepPairs(name, member) : [[name, renderPlainText(member)]],
  );
  return new URLSearchParams(pairs).toString();
}

/** `name[member]`, recursively; array items repeat the name of their array. */
export function deepPairs(name: string, value: JsonValue | undefined): [string, string][] {
  if (value === undefined) return [];
  if (isJsonArray(value)) return value.flatMap((item) => deepPairs(name, item));
  if (!isJsonObject(value)) return [[name, renderPlainText(value)]];
  return Object.entries(value).flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member));
}

/** Occurs in no generated body. */
const boundary = 'petstore-boundary-5a1c9e';

/** A part for each pair: objects as JSON, all else as text. */
function renderMultipart(value: JsonValue): string {
  const parts = pairsOf(value).map(([name, member]) => {
    const type = isJsonObject(member) ? '\r\nContent-Type: application/json' : '';
    const title = name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, ' ');
    const head = `Content-Disposition: form-data; name="${title}"${type}`;
    return `--${boundary}\r\n${head}\r\n\r\n${renderPlainText(member)}\r\n`;
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

/** Members as elements; a name that is invalid in XML becomes `item`. */
function renderXml(name: string, value: JsonValue): string {
  const tag = /^[A-Za-z_][\w.-]*$/.test(name) ? name : 'item';
  const inner = isJsonArray(value) ? value.map((item) => ['item', item] as const) : pairsOf(value);
  const content =
    isJsonArray(value) || isJsonObject(value)
      ? inner.map(([each, member]) => renderXml(each, member)).join('')
      : renderPlainText(value).replaceAll(/[<&>]/g, (each) => `&#${each.charCodeAt(0)};`);
  return `<${tag}>${content}</${tag}>`;
}
