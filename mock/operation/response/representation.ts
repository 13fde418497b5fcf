import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../../contract/json/value.ts';
import { largest } from '../../../contract/list/list.ts';
import {
  type MediaType,
  essence,
  isJsonLines,
  isJsonMediaType,
  isUndescribed,
} from '../../../contract/openapi/media-type.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { type ResponseContract, documentedResponse } from '../../../contract/openapi/response.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { qualityOf } from '../../http/field.ts';
import { type Outcome, type Success, success } from './outcome.ts';
import { type HeaderFacts, type Reason, refuse } from './refusal.ts';

/** Whether a content is JSON, or a range that includes JSON. */
export function isJsonContent(content: MediaType): boolean {
  return isJsonMediaType(essence(typeOf(content)));
}

/**
 * The content that a request prefers by `Accept` (RFC 9110 section 12.5.1): of several alike JSON, else
 * the first of the document. If it accepts none of them, `Accept` is ignored.
 */
export function chooseContent(
  content: readonly MediaType[],
  accept?: string,
): MediaType | undefined {
  const usual = content.find(isJsonContent) ?? content[0];
  if (accept === undefined || content.length < 2) return usual;
  const qualities = new Map(content.map((one) => [one, qualityOf(accept, one.name)]));
  const best = largest(qualities.values());
  const liked = content.filter((one) => qualities.get(one) === best);
  return best > 0 ? (liked.find(isJsonContent) ?? liked[0]) : usual;
}

/** The `Content-Type` of a response; for a range a type in it, JSON if possible. */
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

/** An example of the document, with its place. */
interface FoundExample {
  readonly response: ResponseContract;
  readonly content: MediaType;
  readonly value: JsonValue;
}

/** The first example of some responses, of a name if one is given. */
export function findExample(
  responses: readonly ResponseContract[],
  name?: string,
): FoundExample | undefined {
  for (const response of responses)
    for (const content of response.content) {
      const found = content.examples.find((one) => name === undefined || one.name === name);
      if (found !== undefined) return { response, content, value: found.value };
    }
  return undefined;
}

/**
 * The first example of a content, else a sample of its schema, which may break it in part; an empty
 * object if any JSON is valid.
 */
export function valueOf(content: MediaType): JsonValue {
  const { examples, schema, itemSchema } = content;
  const [example] = examples;
  if (example !== undefined) return example.value;
  if (isJsonContent(content) && isUndescribed(content)) return {};
  if (schema !== undefined) return sampleSchema(schema, { direction: 'response' }).value;
  if (itemSchema !== undefined)
    return ['1', '2'].map(
      (seed) => sampleSchema(itemSchema, { direction: 'response', seed }).value,
    );
  return plainTexts[content.mediaType] ?? 'sample';
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

/** Renders a value in the media type of a content. */
export function renderBody(value: JsonValue, content: MediaType): string {
  const type = essence(typeOf(content));
  if (isJsonMediaType(type)) return renderJson(value);
  if (typeof value === 'string') return value === '' ? (plainTexts[type] ?? value) : value;
  if (/[/+]xml$/.test(type))
    return `<?xml version="1.0" encoding="UTF-8"?>\n${
      isJsonArray(value) ? renderElement('items', { item: value }) : renderElement('item', value)
    }`;
  const items = isJsonArray(value) ? value : [value];
  if (type === 'text/event-stream') return items.map((item) => renderEvent(item, content)).join('');
  if (type === 'application/json-seq')
    return items.map((item) => `\u001E${renderJson(item)}\n`).join('');
  if (isJsonLines(type)) return items.map((item) => `${renderJson(item)}\n`).join('');
  if (type === 'application/x-www-form-urlencoded' && isJsonObject(value))
    return new URLSearchParams(
      Object.entries(value).map(([name, member]): [string, string] => [name, textOf(member)]),
    ).toString();
  return plainTexts[type] ?? renderJson(value);
}

/** A success whose body is a value in the media type of a content. */
export function represent(
  status: number,
  value: JsonValue,
  content: MediaType,
  facts?: HeaderFacts,
): Success {
  return { ...success(status, renderBody(value, content), facts), mediaType: typeOf(content) };
}

/** An object whose schema has `data` is an event with its fields; anything else is the data of one. */
function renderEvent(item: JsonValue, { itemSchema }: MediaType): string {
  const isEvent = itemSchema?.shape().properties.has('data') === true && isJsonObject(item);
  const fields = Object.entries(isEvent ? item : { data: item });
  const lines = fields.flatMap(([name, value]) =>
    textOf(value)
      .split(/\r\n|\r|\n/)
      .map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join('')}\n`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : renderJson(value ?? null);
}

/** An element for each member; an array is an element for each item. */
function renderElement(name: string, value: JsonValue): string {
  if (isJsonArray(value)) return value.map((item) => renderElement(name, item)).join('');
  const inner = isJsonObject(value)
    ? Object.entries(value).map(([key, member = null]) => renderElement(key, member))
    : [value === null ? '' : xmlText(textOf(value))];
  // Names that XML allows (XML 1.0, production 5), ASCII only.
  const tag = name.replace(/[^\w.:-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
  return `<${tag}>${inner.join('')}</${tag}>`;
}

/** Escapes a text for an element. */
export function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A 401 names the credentials of its operation. */
export function factsOf(operation: Operation | undefined, status: number): HeaderFacts | undefined {
  if (status !== 401 || operation === undefined) return undefined;
  return { challenge: { security: operation.security } };
}

/**
 * A response of an operation as the document shows it: an example, else a sample. `message`: what an
 * error says of which the document has no example.
 */
export function showDocumented(
  operation: Operation | undefined,
  status: number,
  example: FoundExample | undefined,
  reason: Reason,
  message: string,
): Outcome {
  const facts = factsOf(operation, status);
  if (example !== undefined) return represent(status, example.value, example.content, facts);
  const documented = operation && documentedResponse(operation, status);
  const content = chooseContent(documented?.content ?? []);
  const isEmpty = content === undefined && (status < 400 || documented !== undefined);
  if (isEmpty) return success(status, '', facts);
  return content !== undefined && (status < 400 || content.examples.length > 0)
    ? represent(status, valueOf(content), content, facts)
    : refuse(reason, message, { status, facts });
}

/** Renders a JSON success in the media type that the request prefers, if the document has several. */
export function representAs(
  outcome: Outcome,
  operation: Operation | undefined,
  accept: string,
): Outcome {
  if (outcome.kind !== 'success' || operation === undefined) return outcome;
  const { content } = documentedResponse(operation, outcome.status) ?? { content: [] };
  if (content.length < 2 || outcome.body === '') return outcome;
  const chosen = chooseContent(content, accept);
  const isWanted = chosen !== undefined && !isJsonContent(chosen);
  if (!isWanted || !isJsonMediaType(essence(outcome.mediaType ?? 'application/json')))
    return outcome;
  const body = renderBody(parseJson(outcome.body), chosen);
  return { ...outcome, body, mediaType: typeOf(chosen) };
}

/** Names of headers and members with the number of items on all pages, without case and punctuation. */
export const totalNames: readonly string[] =
  'total totalcount totalitems totalelements totalresults totalrecords totalsize totalhits totalrows'.split(
    ' ',
  );

/** Whether a header has the number of items on all pages, such as `X-Total-Count`. */
export function isTotalHeader(name: string): boolean {
  const words = name.toLowerCase().split('-');
  return words.some((_word, index) => totalNames.includes(words.slice(index).join('')));
}

/** Changes a value in one way. */
export type Change = (value: JsonValue) => JsonValue;

/** Most attempts to change an invalid value in part. */
const maxAttempts = 200;

/**
 * A value with all changes (`whole`) if that is valid, else with those that add no issues: the changes
 * are tried together, and where that fails in halves.
 */
export function changeWithin(
  value: JsonValue,
  changes: readonly Change[],
  schema: SchemaNode | undefined,
  whole = changes.reduce<JsonValue>((changed, change) => change(changed), value),
): JsonValue {
  if (whole === value || schema === undefined || schema.isValid(whole)) return whole;
  const worst = schema.validate(value).length;
  let left = maxAttempts;
  const apply = (base: JsonValue, some: readonly Change[]): JsonValue => {
    const changed = some.reduce((before, change) => change(before), base);
    if (changed === base || left === 0) return base;
    left -= 1;
    if (schema.validate(changed).length <= worst) return changed;
    const half = Math.floor(some.length / 2);
    return half === 0 ? base : apply(apply(base, some.slice(0, half)), some.slice(half));
  };
  return apply(value, changes);
}
