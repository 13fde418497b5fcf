import type { Dispatcher } from 'undici';
import type { RequestContent, RequestHeaders } from '../../http/message.ts';
import { createContentCollector } from '../in-process/content-collector.ts';

/** The path of a request with what `query` adds to it. */
export function pathOf({ path, query }: Dispatcher.DispatchOptions): string {
  if (query === undefined || query === null) return path;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>(query)) {
    for (const one of listOf(value)) search.append(name, textOf(one));
  }
  return search.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${search.toString()}`;
}

/** Headers in any of undici's forms, by name in lower case; values of one name are joined. */
export function headersIn(headers: Dispatcher.DispatchOptions['headers']): RequestHeaders {
  const joined = new Map<string, string>();
  for (const [name, value] of pairsOf(headers)) {
    const key = textOf(name).toLowerCase();
    for (const one of listOf(value))
      joined.set(key, joined.has(key) ? `${joined.get(key)}, ${textOf(one)}` : textOf(one));
  }
  return Object.fromEntries(joined);
}

function pairsOf(
  headers: Dispatcher.DispatchOptions['headers'],
): readonly (readonly [unknown, unknown])[] {
  if (headers === undefined || headers === null) return [];
  const listed: readonly unknown[] =
    Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  if (listed.every(Array.isArray))
    return listed.map(([name, value]: readonly unknown[]) => [name, value]);
  return listed.flatMap((name, at) => (at % 2 === 0 ? [[name, listed[at + 1]] as const] : []));
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Bytes of a header are Latin-1 (RFC 9110 section 5.5). */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reads a body in any of undici's forms. `onChunk` sees what was taken. */
export async function readBody(
  body: unknown,
  onChunk: (chunk: Buffer) => void,
): Promise<RequestContent> {
  if (body === undefined || body === null) return undefined;
  const collector = createContentCollector();
  for await (const part of partsOf(body)) {
    const chunk = bytesOf(part);
    onChunk(chunk);
    if (!collector.add(chunk)) break;
  }
  return collector.content();
}

function partsOf(body: unknown): Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof ArrayBuffer)
    return [body];
  if (body instanceof Blob) return body.stream();
  const isForm = Object.prototype.toString.call(body) === '[object FormData]';
  if (typeof body === 'object' && body !== null && isIterable(body) && !isForm) return body;
  throw new TypeError(
    'The body must be text, bytes, a blob, a stream or an iterable of bytes. To send a form, use fetch.',
  );
}

function isIterable(body: object): body is Iterable<unknown> | AsyncIterable<unknown> {
  return Symbol.asyncIterator in body || Symbol.iterator in body;
}

function bytesOf(part: unknown): Buffer {
  if (typeof part === 'string') return Buffer.from(part);
  if (part instanceof ArrayBuffer) return Buffer.from(part);
  if (ArrayBuffer.isView(part)) return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  throw new TypeError('Every part of the body must be text or bytes.');
}
