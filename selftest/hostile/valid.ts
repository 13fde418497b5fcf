import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { listKinds } from './kind.ts';
import type { Spoil } from './listener.ts';
import {
  latin1,
  type Message,
  renderChunk,
  renderHead,
  renderWhole,
  withBody,
  withFields,
} from './message.ts';

/** Responses as few servers send them, within HTTP and the document: such a target conforms. */
export const validKinds = listKinds({
  whole: (message) => renderWhole(message),
  chunked: (message) => chunked(message, ''),
  'chunk-extensions': (message) => chunked(message, ';name="value";other'),
  'chunk-extension-long': (message) => chunked(message, `;a=${'b'.repeat(2_000)}`),
  trailers: (message) => [
    renderHead(message, 'Transfer-Encoding: chunked', 'Trailer: X-Sum'),
    ...chunks(message.body, ''),
    latin1('0\r\nX-Sum: 1\r\n\r\n'),
  ],
  'until-close': (message) => [renderHead(message, 'Connection: close'), message.body],
  gzip: coded('gzip', gzipSync),
  'x-gzip': coded('x-gzip', gzipSync),
  'gzip-upper-case': coded('GZIP', gzipSync),
  deflate: coded('deflate', deflateSync),
  'deflate-raw': coded('deflate', deflateRawSync),
  br: coded('br', brotliCompressSync),
  zstd: coded('zstd', zstdCompressSync),
  'zstd-frames': coded('zstd', (bytes) =>
    Buffer.concat([
      skippable(5),
      zstdCompressSync(bytes.subarray(0, 3)),
      skippable(0),
      zstdCompressSync(bytes.subarray(3)),
    ]),
  ),
  'gzip-members': coded('gzip', (bytes) =>
    Buffer.concat([gzipSync(''), gzipSync(bytes.subarray(0, 3)), gzipSync(bytes.subarray(3))]),
  ),
  'gzip-then-br': coded('gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))),
  identity: coded('identity', (bytes) => bytes),
  'interim-103': (message) => [
    latin1('HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n'),
    ...renderWhole(message),
  ],
  'interim-50': (message) => [
    latin1('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)),
    ...renderWhole(message),
  ],
  'lower-case': (message) => renderWhole(renamed(message, (name) => name.toLowerCase())),
  'upper-case': (message) => renderWhole(renamed(message, (name) => name.toUpperCase())),
  'many-fields': (message) =>
    renderWhole(
      withFields(
        message,
        ...Array.from({ length: 500 }, (_, at) => [`X-${at}`, 'a'.repeat(80)] as const),
      ),
    ),
  'no-reason': (message) => spoilHead(message, (head) => head.replace(' Told\r\n', ' \r\n')),
  'long-reason': (message) => spoilHead(message, (head) => head.replace('Told', 'a'.repeat(5_000))),
  'spaces-in-json': (message) => renderWhole(withBody(message, spaced(message.body))),
  'slow-bytes': async function* (message) {
    yield renderHead(message, `Content-Length: ${message.body.length}`);
    for (let at = 0; at < message.body.length; at += 40) {
      await sleep(1);
      yield message.body.subarray(at, at + 40);
    }
  },
  'http-10': (message) => [...spoilHead(message, (head) => head.replace('HTTP/1.1', 'HTTP/1.0'))],
  'chunk-extension-of-2-mb': (message) => [
    renderHead(message, 'Transfer-Encoding: chunked'),
    ...(message.body.length === 0
      ? []
      : [renderChunk(message.body, `;a=${'b'.repeat(2_000_000)}`)]),
    latin1('0\r\n\r\n'),
  ],
  'chunk-size-of-zeros': (message) => [
    renderHead(message, 'Transfer-Encoding: chunked'),
    latin1('0'.repeat(100_000)),
    ...(message.body.length === 0 ? [] : [renderChunk(message.body)]),
    latin1('0\r\n\r\n'),
  ],
  'coding-of-transfer-upper-case': (message) => [
    renderHead(message, 'Transfer-Encoding: CHUNKED'),
    ...chunks(message.body, ''),
    latin1('0\r\n\r\n'),
  ],
  'one-byte-each': (message) => [
    ...bytesOf(renderHead(message, `Content-Length: ${message.body.length}`)),
    ...bytesOf(message.body),
  ],
  charset: (message) => renderWhole(withType(message, 'application/json; charset=utf-8')),
  'extra-member': (message) => {
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
    const text = Buffer.from(message.body).toString();
    const more = text.replaceAll('"id":', `"extra":${deep},"id":`);
    return renderWhole(withBody(message, more));
  },
});

/** A frame of zstd that decoders skip (RFC 8878 section 3.1.2). */
function skippable(bytes: number): Uint8Array {
  const frame = Buffer.alloc(8 + bytes);
  frame.writeUInt32LE(0x184d2a50, 0);
  frame.writeUInt32LE(bytes, 4);
  return frame;
}

function* chunks(body: Uint8Array, extension: string): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += 16)
    yield renderChunk(body.subarray(at, at + 16), extension);
}

function chunked(message: Message, extension: string): readonly Uint8Array[] {
  const end = latin1('0\r\n\r\n');
  return [
    renderHead(message, 'Transfer-Encoding: chunked'),
    ...chunks(message.body, extension),
    end,
  ];
}

function coded(coding: string, pack: (bytes: Uint8Array) => Uint8Array): Spoil {
  return (message) =>
    message.body.length === 0
      ? renderWhole(message)
      : renderWhole(
          withFields(withBody(message, pack(message.body)), ['Content-Encoding', coding]),
        );
}

function renamed(message: Message, rename: (name: string) => string): Message {
  return {
    ...message,
    fields: message.fields.map(([name, value]) => [rename(name), value] as const),
  };
}

function spoilHead(message: Message, change: (head: string) => string): readonly Uint8Array[] {
  const [head, ...rest] = [...renderWhole(message)];
  return [latin1(change(Buffer.from(head ?? []).toString('latin1'))), ...rest];
}

function spaced(body: Uint8Array): Uint8Array {
  return Buffer.concat([latin1(' \n'.repeat(20_000)), body, latin1('\t\r\n'.repeat(20_000))]);
}

function withType(message: Message, type: string): Message {
  return message.body.length === 0 ? message : withFields(message, ['Content-Type', type]);
}

function bytesOf(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}
