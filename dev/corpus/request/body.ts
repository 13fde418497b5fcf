import { isRecord, type JsonRecord, recordOf } from '../document/json.ts';
import type { Operation } from '../document/operation.ts';
import { dereference, type Place, placeBelow } from '../document/place.ts';
import { deepEntries, plainText } from './parameter-text.ts';

/** The media type of a request body that a request is made in. */
export interface BodyChoice {
  readonly type: string;
  readonly place: Place;
}

export interface EncodedBody {
  readonly contentType: string;
  readonly text: string;
}

/** JSON first, then forms, then whatever is listed first. */
const preferred = [isJson, isForm, isMultipart, (): boolean => true];

export function chooseBody(root: JsonRecord, { body }: Operation): BodyChoice | undefined {
  if (body === undefined) return undefined;
  const types = Object.keys(recordOf(recordOf(body.node)['content']));
  for (const isWanted of preferred) {
    const type = types.find(isWanted);
    if (type !== undefined) return { type, place: placeBelow(root, body, 'content', type) };
  }
  return undefined;
}

export function encodeBody(
  root: JsonRecord,
  { type, place }: BodyChoice,
  value: unknown,
): EncodedBody {
  if (isJson(type)) {
    const contentType = type.includes('*') ? 'application/json' : type;
    return { contentType, text: JSON.stringify(value) };
  }
  if (isForm(type)) return { contentType: type, text: formText(value) };
  if (isMultipart(type)) {
    const schema = recordOf(dereference(root, recordOf(place.node)['schema']));
    const contentType = `${type.split(';')[0] ?? type}; boundary=${boundary}`;
    return { contentType, text: multipartText(root, schema, value) };
  }
  const contentType = type.includes('*') ? 'application/octet-stream' : type;
  if (/[/+]xml\b/i.test(type)) return { contentType, text: xmlText('root', value) };
  return { contentType, text: plainText(value) };
}

export function isJson(type: string): boolean {
  return /^(application|text)\/json\b|\+json\b|^\*\/\*$/i.test(type.trim());
}

function isForm(type: string): boolean {
  return /^application\/x-www-form-urlencoded/i.test(type);
}

function isMultipart(type: string): boolean {
  return /^multipart\//i.test(type);
}

function formText(value: unknown): string {
  return Object.entries(recordOf(value))
    .flatMap(([name, one]) => deepEntries(one, name))
    .map(([name, one]) => `${encodeURIComponent(name)}=${encodeURIComponent(plainText(one))}`)
    .join('&');
}

const boundary = 'corpus-boundary';

function multipartText(root: JsonRecord, schema: JsonRecord, value: unknown): string {
  const properties = recordOf(schema['properties']);
  const parts = Object.entries(recordOf(value)).flatMap(([name, one]) => {
    const property = recordOf(dereference(root, properties[name]));
    const items = Array.isArray(one) ? one : [one];
    const part = Array.isArray(one) ? recordOf(dereference(root, property['items'])) : property;
    return items.map((item) => multipartPart(name, item, isFile(part)));
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

function multipartPart(name: string, value: unknown, asFile: boolean): string {
  const file = asFile ? '; filename="file.txt"\r\nContent-Type: application/octet-stream' : '';
  const json = !asFile && isRecord(value) ? '\r\nContent-Type: application/json' : '';
  const head = `Content-Disposition: form-data; name="${name}"${file}${json}`;
  return `--${boundary}\r\n${head}\r\n\r\n${plainText(value)}\r\n`;
}

function isFile(schema: JsonRecord): boolean {
  return schema['format'] === 'binary' || schema['contentMediaType'] !== undefined;
}

function xmlText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => xmlText(name, one)).join('');
  const content = isRecord(value)
    ? Object.entries(value).map(([member, one]) => xmlText(member, one))
    : [plainText(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')];
  return `<${name}>${content.join('')}</${name}>`;
}
