import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../../contract/json/value.ts';
import { type MediaType, isJsonMediaType } from '../../../contract/openapi/media-type.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import { largest } from '../../../contract/list/list.ts';
import { type ResponseContract, documentedResponse } from '../../../contract/openapi/response.ts';
import { essence, qualityOf } from '../../http/media-type.ts';
import type { Outcome } from './outcome.ts';
import { renderXml } from './xml-text.ts';

/** JSON by its name, or a range that JSON is in. */
export function isJsonContent(content: MediaType): boolean {
  return isJsonMediaType(essence(typeOf(content)));
}

/**
 * The content that a request asks for by `Accept` (RFC 9110 section 12.5.1): of those it likes best
 * JSON, else the first of the document. Where it takes none of them, as if it had not asked.
 */
export function chooseContent(
  content: readonly MediaType[],
  accept: string | undefined,
): MediaType | undefined {
  const usual = content.find(isJsonContent) ?? content[0];
  if (accept === undefined || content.length < 2) return usual;
  const ranked = content.map((one) => ({ one, quality: qualityOf(accept, one.name) }));
  const best = largest(ranked.map(({ quality }) => quality));
  const liked = ranked.flatMap(({ one, quality }) => (quality === best ? [one] : []));
  return best > 0 ? (liked.find(isJsonContent) ?? liked[0]) : usual;
}

/** The type that a response of a content has, with its parameters: JSON for a range. */
export function typeOf({ name, mediaType }: Pick<MediaType, 'name' | 'mediaType'>): string {
  if (!mediaType.includes('*')) return name.includes(';') ? name : mediaType;
  const [type = ''] = mediaType.split('/');
  return type === '*' || type === 'application'
    ? 'application/json'
    : `${type}/${usualSubtypes[type] ?? 'plain'}`;
}

const usualSubtypes: Readonly<Record<string, string>> = {
  image: 'png',
  audio: 'mpeg',
  video: 'mp4',
};

/** The first example of some responses, of a name if one is given. */
export function findExample(
  responses: readonly ResponseContract[],
  name?: string,
):
  | { readonly response: ResponseContract; readonly content: MediaType; readonly value: JsonValue }
  | undefined {
  for (const response of responses)
    for (const content of response.content) {
      const { examples } = content;
      const found = name === undefined ? examples[0] : examples.find((one) => one.name === name);
      if (found !== undefined) return { response, content, value: found.value };
    }
  return undefined;
}

/** An example of a content, else a sample of its schema: where none fits, the best that is made. */
export function valueOf(content: MediaType): JsonValue {
  const { examples, schema, itemSchema } = content;
  const [example] = examples;
  if (example !== undefined) return example.value;
  if (schema === undefined && itemSchema !== undefined)
    return ['1', '2'].map(
      (seed) => sampleSchema(itemSchema, { direction: 'response', seed }).value,
    );
  if (schema !== undefined) return sampleSchema(schema, { direction: 'response' }).value;
  return isJsonContent(content) ? null : (plainTexts[content.mediaType] ?? 'sample');
}

const plainTexts: Readonly<Record<string, string>> = {
  'text/html': '<!doctype html><title>Sample</title><p>Sample</p>',
  'text/csv': 'id,name\r\n1,sample\r\n',
  'text/event-stream': 'data: sample\n\n',
  'application/xml': '<sample/>',
  'text/xml': '<sample/>',
  'application/pdf': '%PDF-1.4\n%%EOF\n',
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

/** A value as the body of a response of a media type. */
export function renderBody(value: JsonValue, content: MediaType): string {
  const { schema } = content;
  const type = essence(typeOf(content));
  if (isJsonMediaType(type)) return renderJson(value);
  if (typeof value === 'string') return value === '' ? (plainTexts[type] ?? value) : value;
  if (/[/+]xml$/.test(type)) return renderXml(value, schema);
  if (type === 'text/event-stream')
    return listOf(value)
      .map((item) => renderEvent(item, content))
      .join('');
  if (type === 'application/json-seq')
    return listOf(value)
      .map((item) => `\u001E${renderJson(item)}\n`)
      .join('');
  if (/^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/.test(type))
    return listOf(value)
      .map((item) => `${renderJson(item)}\n`)
      .join('');
  if (type === 'text/csv') return renderCsv(listOf(value));
  if (type === 'application/x-www-form-urlencoded' && isJsonObject(value))
    return new URLSearchParams(
      Object.entries(value).map(([name, member]): [string, string] => [
        name,
        renderCell(member ?? null),
      ]),
    ).toString();
  return renderJson(value);
}

/** An item is an event with its fields where the schema says so, else the data of one. */
function renderEvent(item: JsonValue, { itemSchema }: MediaType): string {
  const isEvent = itemSchema?.shape().properties.has('data') === true && isJsonObject(item);
  const fields = isEvent ? Object.entries(item) : [['data', item] as const];
  const lines = fields.flatMap(([name, value]) =>
    renderCell(value ?? null)
      .split(/\r\n|\r|\n/)
      .map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join('')}\n`;
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return isJsonArray(value) ? value : [value];
}

/** The first item names the columns (RFC 4180). */
function renderCsv(items: readonly JsonValue[]): string {
  const [first] = items;
  const names = isJsonObject(first) ? Object.keys(first) : [];
  const rows = items.map((item) =>
    isJsonObject(item) ? names.map((name) => renderCell(item[name] ?? null)) : [renderCell(item)],
  );
  return [...(names.length === 0 ? [] : [names]), ...rows]
    .map((row) => `${row.map(quoteCell).join(',')}\r\n`)
    .join('');
}

function renderCell(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** True where some success of an operation is described in several media types. */
export function hasMediaTypes({ responses }: Operation): boolean {
  return responses.some(({ status, content }) => content.length > 1 && !/^[45]/.test(status));
}

/** A success in JSON as the request asks for it, where the document has it in other types too. */
export function representAs(
  outcome: Outcome,
  operation: Operation | undefined,
  accept: string | undefined,
): Outcome {
  if (outcome.kind !== 'success' || operation === undefined || accept === undefined) return outcome;
  const { content } = documentedResponse(operation, outcome.status) ?? { content: [] };
  if (content.length < 2 || outcome.body === '') return outcome;
  const chosen = chooseContent(content, accept);
  const isWanted = chosen !== undefined && !isJsonContent(chosen);
  if (!isWanted || !isJsonMediaType(essence(outcome.mediaType ?? 'application/json')))
    return outcome;
  const body = renderBody(parseJson(outcome.body), chosen);
  return { ...outcome, body, mediaType: typeOf(chosen) };
}
