import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import {
  isForm,
  isJsonLines,
  isJsonMediaType,
  memberContent,
  type MediaType,
} from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { once } from '../../contract/memo/once.ts';
import { readForm } from './form.ts';
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
export function chooseContent(operation: Operation): MediaType | undefined {
  const { content = [] } = operation.requestBody ?? {};
  return (
    memberContent(operation) ?? content.find(({ mediaType }) => isForm(mediaType)) ?? content[0]
  );
}

/** An ordinary valid value of a media type. */
function plainContentValue({ schema, itemSchema, examples }: MediaType): JsonValue {
  const [example] = examples;
  if (example !== undefined) return example.value;
  const described = schema ?? itemSchema;
  if (described === undefined) return {};
  const value = plainRequestValue(described);
  if (value === undefined) throw new UndrawableSchema(described);
  return value;
}

/**
 * The members that a body carries so that services read them in one way. JSON carries all; a form
 * has no null, and many services take an empty text for one.
 */
export function carriedMembers(operation: Operation, value: JsonObject): JsonObject {
  const media = memberContent(operation);
  if (media === undefined || !isForm(media.mediaType)) return value;
  const { body, contentType } = renderRequestBody(media, value);
  const { clear } = readForm(body, contentType, media.schema);
  const members = Object.entries(value).filter(([name]) => (clear[name] ?? null) !== null);
  return Object.fromEntries(members);
}

/** Texts that services take for a missing value or a boolean, or that they trim before they read. */
const lenientTexts = /^(|\s.*|.*\s|[01]|on|off|yes|no)$/is;

/**
 * A body as a service reads it; undefined for a form that cannot carry the value, that is no body
 * because it is empty and may be left out, or with a text that services read in several ways.
 */
export function readAsSent(operation: Operation, value: JsonValue): JsonValue | undefined {
  const media = memberContent(operation);
  if (media === undefined || !isForm(media.mediaType)) return value;
  if (!isJsonObject(value)) return undefined;
  const { body, contentType } = renderRequestBody(media, value);
  if (body === '' && operation.requestBody?.required !== true) return undefined;
  const read = readForm(body, contentType, media.schema).body;
  const texts = Object.values(read).filter((each) => typeof each === 'string');
  return texts.some((each) => lenientTexts.test(each)) ? undefined : read;
}

/** A value as the text of a media type. */
export function renderRequestBody(
  { name, mediaType, deepMembers, schema }: MediaType,
  wanted: JsonValue,
): RequestBodyText {
  if (isJsonMediaType(mediaType) || mediaType.includes('*/*'))
    return { body: renderJson(wanted), contentType: concrete(name) };
  // A stream of one item.
  if (isJsonLines(mediaType)) return { body: `${renderJson(wanted)}\n`, contentType: mediaType };
  if (mediaType === 'application/json-seq')
    return { body: `\u001E${renderJson(wanted)}\n`, contentType: mediaType };
  const value = isForm(mediaType) ? withoutEmptyLists(wanted, schema) : wanted;
  if (mediaType === 'application/x-www-form-urlencoded')
    return { body: renderForm(value, deepMembers), contentType: mediaType };
  if (mediaType.startsWith('multipart/')) {
    const contentType = `${mediaType.replace('*', 'form-data')}; boundary=${boundary}`;
    return { body: renderMultipart(value), contentType };
  }
  // An example may be XML itself.
  const isXml = typeof value === 'string' && value.trimStart().startsWith('<');
  if (/[/+]xml$/.test(mediaType) && !isXml)
    return { body: `<?xml version="1.0"?>${renderXml('root', value)}`, contentType: mediaType };
  // An empty body would be none.
  const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
  return { body: isEmpty ? 'text' : renderPlainText(value), contentType: concrete(mediaType) };
}

/** Gives valid empty lists that a body must have an item each, because a form cannot carry them. */
function withoutEmptyLists(value: JsonValue, schema: SchemaNode | undefined): JsonValue {
  if (!isJsonObject(value) || schema === undefined) return value;
  const { properties, required } = schema.shape();
  const filled = Object.entries(value).flatMap(([name, list]) => {
    const member = required.has(name) ? properties.get(name) : undefined;
    if (!isJsonArray(list) || list.length > 0 || member?.isValid(list) !== true) return [];
    const { items } = member.shape();
    const item = items === undefined ? 'text' : plainRequestValue(items);
    return item === undefined ? [] : [[name, [item]] as const];
  });
  return filled.length === 0 ? value : { ...value, ...Object.fromEntries(filled) };
}

/** A media type without wildcards. */
function concrete(mediaType: string): string {
  if (mediaType.includes('json')) return mediaType.replace('*', 'application');
  if (mediaType === '*/*' || mediaType === 'application/*') return 'application/json';
  return mediaType.replace('/*', '/plain');
}

/** Strings unchanged, everything else as JSON. */
export function renderPlainText(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
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
