import type { Operation, Place, PublicDocument } from './document.ts';
import { isRecord, type JsonRecord, recordOf } from './json.ts';
import { deepEntries, plainText } from './parameter-text.ts';

/** The media type chosen for a request body. */
export interface BodyChoice {
  readonly type: string;
  readonly place: Place;
}

export interface EncodedBody {
  readonly contentType: string;
  readonly text: string;
}

const jsonType = /^(application|text)\/json\b|\+json\b|^\*\/\*$/i;
const formType = /^application\/x-www-form-urlencoded/i;
const multipartType = /^multipart\//i;

export function isJson(type: string): boolean {
  return jsonType.test(type.trim());
}

/** JSON first, then forms, then whatever is listed first. */
export function chooseBody(document: PublicDocument, { body }: Operation): BodyChoice | undefined {
  if (body === undefined) return undefined;
  const types = Object.keys(recordOf(recordOf(body.node)['content']));
  for (const wanted of [jsonType, formType, multipartType, /(?:)/]) {
    const type = types.find((one) => wanted.test(one.trim()));
    if (type !== undefined) return { type, place: document.below(body, 'content', type) };
  }
  return undefined;
}

export function encodeBody(
  document: PublicDocument,
  { type, place }: BodyChoice,
  value: unknown,
): EncodedBody {
  if (isJson(type)) {
    const contentType = type.includes('*') ? 'application/json' : type;
    return { contentType, text: JSON.stringify(value) };
  }
  if (formType.test(type)) {
    const fields = Object.entries(recordOf(value)).flatMap(([name, one]) => deepEntries(one, name));
    const texts = fields.map(([name, one]): [string, string] => [name, plainText(one)]);
    return { contentType: type, text: new URLSearchParams(texts).toString() };
  }
  if (multipartType.test(type)) {
    const schema = recordOf(document.dereference(recordOf(place.node)['schema']));
    const contentType = `${type.split(';')[0] ?? type}; boundary=${boundary}`;
    return { contentType, text: multipartText(document, schema, value) };
  }
  const contentType = type.replace('/*', '/octet-stream');
  return { contentType, text: /[/+]xml\b/i.test(type) ? xmlText('root', value) : plainText(value) };
}

const boundary = 'corpus-boundary';

function multipartText(document: PublicDocument, schema: JsonRecord, value: unknown): string {
  let text = '';
  for (const [name, one] of Object.entries(recordOf(value))) {
    const property = recordOf(document.dereference(recordOf(schema['properties'])[name]));
    const items = Array.isArray(one) ? recordOf(document.dereference(property['items'])) : property;
    const isFile = items['format'] === 'binary' || items['contentMediaType'] !== undefined;
    for (const item of [one].flat()) {
      const file = isFile ? '; filename="file.txt"\r\nContent-Type: application/octet-stream' : '';
      const json = !isFile && isRecord(item) ? '\r\nContent-Type: application/json' : '';
      const head = `Content-Disposition: form-data; name="${name}"${file}${json}`;
      text += `--${boundary}\r\n${head}\r\n\r\n${plainText(item)}\r\n`;
    }
  }
  return `${text}--${boundary}--\r\n`;
}

function xmlText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => xmlText(name, one)).join('');
  const content = isRecord(value)
    ? Object.entries(value).map(([member, one]) => xmlText(member, one))
    : [plainText(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')];
  return `<${name}>${content.join('')}</${name}>`;
}
