import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { listKinds } from './kind.ts';
import type { Spoil } from './listener.ts';
import { latin1, renderChunk, renderHead, renderWhole, withBody, withFields } from './message.ts';

const mebibyte = 1024 * 1024;

/** Responses that are larger, deeper, slower or more than anybody reads, or have no end. */
export const sizeKinds = listKinds({
  'stream-without-end': function* (message) {
    yield renderHead(message, 'Connection: close');
    const piece = latin1(' '.repeat(65_536));
    for (;;) yield piece;
  },
  'chunks-forever': function* (message) {
    yield renderHead(message, 'Transfer-Encoding: chunked');
    yield renderChunk(latin1('['));
    const piece = renderChunk(latin1('{"id":1,"name":"a","categoryId":1},'.repeat(2000)));
    for (;;) yield piece;
  },
  'one-byte-chunks': function* (message) {
    yield renderHead(message, 'Transfer-Encoding: chunked');
    const piece = Buffer.concat(Array.from({ length: 5000 }, () => renderChunk(latin1(' '))));
    for (;;) yield piece;
  },
  'declared-20-mb': whole(() => `"${'a'.repeat(20_000_000)}"`),
  'text-10-mb': whole(() => `{"id":1,"name":"${'a'.repeat(10_000_000)}","categoryId":1}`),
  'text-15-mb-list': whole(
    () => `[{"id":1,"name":"${'\u00e9'.repeat(7_000_000)}","categoryId":1}]`,
  ),
  'list-of-100000': whole(() => listOf(100_000)),
  'list-of-1000000': whole(() => listOf(1_000_000, () => '{}')),
  'list-of-20000': whole(() => listOf(20_000)),
  'list-of-40000-wrong': whole(() => listOf(40_000, (at) => `{"id":"${at}","name":${at}}`)),
  'list-of-one-id': whole(() => listOf(20_000, () => pet(7))),
  'list-of-nulls': whole(() => `[${'null,'.repeat(200_000)}null]`),
  'object-of-200000': whole(
    () => `{${Array.from({ length: 200_000 }, (_, at) => `"m${at}":${at}`).join()}}`,
  ),
  'arrays-5000000': whole(() => `[${'[],'.repeat(5_000_000)}[]]`),
  'deep-900': whole(() => nest(900)),
  'deep-1000000': whole(() => nest(1_000_000)),
  'deep-unclosed': whole(() => '['.repeat(8_000_000)),
  'deep-objects': whole(() => `${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`),
  'bytes-15-mb': whole(() => Buffer.alloc(15 * mebibyte, 0xff)),
  'gzip-bomb': coded('gzip', () => gzipSync(Buffer.alloc(512 * mebibyte, 32))),
  'br-bomb': coded('br', () =>
    brotliCompressSync(Buffer.alloc(256 * mebibyte, 32), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 3 },
    }),
  ),
  'zstd-bomb': coded('zstd', () => zstdCompressSync(Buffer.alloc(512 * mebibyte, 32))),
  'zstd-wide-window': coded('zstd', () =>
    zstdCompressSync(Buffer.alloc(32 * mebibyte, 32), {
      params: {
        [constants.ZSTD_c_windowLog]: 27,
        [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      },
    }),
  ),
  'zstd-frames-2000': coded('zstd', () =>
    Buffer.concat(Array.from({ length: 2000 }, () => zstdCompressSync(new Uint8Array()))),
  ),
  'zstd-with-garbage': (message) => {
    const packed = withBody(message, Buffer.concat([zstdCompressSync(message.body), latin1('x')]));
    return renderWhole(withFields(packed, ['Content-Encoding', 'zstd']));
  },
  'br-of-large-window': coded('br', () =>
    brotliCompressSync(latin1('[]'), {
      params: { [constants.BROTLI_PARAM_LARGE_WINDOW]: 1, [constants.BROTLI_PARAM_LGWIN]: 30 },
    }),
  ),
  'deflate-bomb': coded('deflate', () => deflateSync(Buffer.alloc(256 * mebibyte, 32))),
  'gzip-bomb-in-gzip': coded('gzip, gzip', () =>
    gzipSync(gzipSync(Buffer.alloc(512 * mebibyte, 32))),
  ),
  'gzip-bomb-of-json': coded('gzip', () =>
    gzipSync(`[${'{"id":1,"name":"a","categoryId":1},'.repeat(1_000_000)}null]`),
  ),
  'codings-100': (message) =>
    renderWhole(withFields(message, ['Content-Encoding', Array(100).fill('gzip').join(', ')])),
  'gzip-claimed': (message) => renderWhole(withFields(message, ['Content-Encoding', 'gzip'])),
  'gzip-cut': (message) => {
    const packed = gzipSync(message.body);
    const cut = withBody(message, packed.subarray(0, packed.length - 6));
    return renderWhole(withFields(cut, ['Content-Encoding', 'gzip']));
  },
  'br-claimed': (message) => renderWhole(withFields(message, ['Content-Encoding', 'br'])),
  'fields-70000-bytes': (message) =>
    renderWhole(withFields(message, ['X-Odd', 'a'.repeat(70_000)])),
  'cookies-100000': (message) => renderWhole(withMany(message, 100_000, 'Set-Cookie', 'a=b')),
  'integers-of-300-digits': whole(() => listOf(20_000, () => '9'.repeat(300))),
  'integer-of-7900000-digits': whole(() => '9'.repeat(7_900_000)),
  'object-of-new-names': (message) =>
    renderWhole(message.body.length === 0 ? message : withBody(message, renderNewNames(100_000))),
  'rate-limits-500': (message) => renderWhole(withMany(message, 500, 'X-RateLimit-Limit', '1')),
});

/** Much, and within the bounds. */
export const largeKinds = listKinds({
  'fields-60000-bytes': (message) =>
    renderWhole(withFields(message, ['X-Odd', 'a'.repeat(60_000)])),
  'cookies-600': (message) => renderWhole(withMany(message, 600, 'Set-Cookie', 'a=b; Path=/')),
});

let names = 0;

/** An object no name of which was in any other. */
function renderNewNames(count: number): string {
  const members = Array.from({ length: count }, () => `"n${(names += 1)}":0`);
  return `{${members.join()}}`;
}

type Message = Parameters<typeof renderWhole>[0];

function withMany(message: Message, times: number, name: string, value: string): Message {
  return withFields(message, ...Array.from({ length: times }, () => [name, value] as const));
}

/** Every response that has a body has this one. */
function whole(make: () => string | Uint8Array): Spoil {
  const body = onceMade(make);
  return (message) => renderWhole(message.body.length === 0 ? message : withBody(message, body()));
}

function coded(coding: string, make: () => Uint8Array): Spoil {
  const body = onceMade(make);
  return (message) =>
    renderWhole(
      message.body.length === 0
        ? message
        : withFields(withBody(message, body()), ['Content-Encoding', coding]),
    );
}

function onceMade(make: () => string | Uint8Array): () => Uint8Array {
  let made: Uint8Array | undefined;
  return () => (made ??= Buffer.from(make()));
}

function pet(id: number): string {
  return `{"id":${id},"name":"pet ${id}","categoryId":1,"status":"available"}`;
}

function listOf(length: number, item: (at: number) => string = pet): string {
  return `[${Array.from({ length }, (_, at) => item(at)).join()}]`;
}

function nest(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}
