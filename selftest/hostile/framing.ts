import { gzipSync } from 'node:zlib';
import { listKinds } from './kind.ts';
import type { Spoil } from './listener.ts';
import { latin1, type Message, renderChunk, renderHead, renderWhole } from './message.ts';

/** Bytes on the wire that are no HTTP response, or one that lies about its length. */
export const framingKinds = listKinds({
  'no-bytes': () => [],
  'no-http': () => [latin1('220 mail.example ESMTP\r\n')],
  'http-09': ({ body }) => [body],
  'http-2-preface': () => [latin1('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  'tls-alert': () => [latin1('\x15\x03\x01\x00\x02\x02\x28')],
  'nul-bytes': () => [new Uint8Array(4096)],
  'status-of-letters': headLine('HTTP/1.1 abc Told'),
  'status-of-two-digits': headLine('HTTP/1.1 20 Told'),
  'status-of-four-digits': headLine('HTTP/1.1 2000 Told'),
  'status-0': headLine('HTTP/1.1 000 Told'),
  'status-99': headLine('HTTP/1.1 099 Told'),
  'status-600': headLine('HTTP/1.1 600 Told'),
  'status-999': headLine('HTTP/1.1 999 Told'),
  'version-9': headLine('HTTP/9.9 200 Told'),
  'reason-of-escapes': headLine('HTTP/1.1 500 \x1b[2J\x9b31m::error::'),
  'reason-without-end': function* () {
    yield latin1('HTTP/1.1 200 ');
    yield* repeat('a'.repeat(65_536), 4096);
  },
  'status-line-lf': ({ body }) => [latin1('HTTP/1.1 200 Told\n\n'), body],
  'field-without-colon': (message) => [
    latin1('HTTP/1.1 200 Told\r\nnonsense\r\nContent-Length: 0\r\n\r\n'),
    message.body,
  ],
  'field-name-with-space': withLine('X Odd: 1'),
  'field-folded': withLine('X-Odd: 1\r\n two'),
  'field-with-nul': withLine('X-Odd: a\0b'),
  'field-with-cr': withLine('X-Odd: a\rX-Other: b'),
  'length-too-long': (message) => [
    renderHead(message, `Content-Length: ${message.body.length + 10}`),
    message.body,
  ],
  'length-too-short': (message) => [
    renderHead(message, `Content-Length: ${Math.max(0, message.body.length - 3)}`),
    message.body,
  ],
  'length-negative': withLine('Content-Length: -1'),
  'length-of-letters': withLine('Content-Length: many'),
  'length-twice': (message) => [
    renderHead(message, `Content-Length: ${message.body.length}`, 'Content-Length: 3'),
    message.body,
  ],
  'length-beyond-int64': (message) => [
    renderHead(message, `Content-Length: ${'9'.repeat(30)}`),
    message.body,
  ],
  'length-of-a-terabyte': (message) => [
    renderHead(message, 'Content-Length: 1099511627776'),
    message.body,
  ],
  'length-and-chunks': (message) => [
    renderHead(message, 'Content-Length: 3', 'Transfer-Encoding: chunked'),
    renderChunk(message.body),
    renderChunk(new Uint8Array()),
  ],
  'coding-of-transfer-unknown': (message) => [
    renderHead(message, 'Transfer-Encoding: sausage'),
    message.body,
  ],
  'chunk-size-of-letters': (message) => [
    renderHead(message, 'Transfer-Encoding: chunked'),
    latin1('zz\r\n'),
    message.body,
  ],
  'chunk-size-beyond-int64': (message) => [
    renderHead(message, 'Transfer-Encoding: chunked'),
    latin1(`${'f'.repeat(20)}\r\n`),
    message.body,
  ],
  'chunk-size-lies': (message) => [
    renderHead(message, 'Transfer-Encoding: chunked'),
    latin1('2\r\n'),
    message.body,
    latin1('\r\n0\r\n\r\n'),
  ],
  'chunks-without-end': (message) => [
    renderHead(message, 'Transfer-Encoding: chunked'),
    renderChunk(message.body),
  ],
  'chunk-extension-without-end': function* (message) {
    yield renderHead(message, 'Transfer-Encoding: chunked');
    yield latin1('5;a=');
    yield* repeat('a'.repeat(65_536), 4096);
  },
  'trailers-without-end': function* (message) {
    yield renderHead(message, 'Transfer-Encoding: chunked');
    yield renderChunk(message.body);
    yield latin1('0\r\n');
    for (let at = 0; at < 100_000; at += 1) yield latin1(`X-Trailer-${at}: ${'t'.repeat(100)}\r\n`);
  },
  'head-without-end': function* () {
    yield latin1('HTTP/1.1 200 Told\r\n');
    for (let at = 0; at < 100_000; at += 1) yield latin1(`X-Field-${at}: ${'f'.repeat(100)}\r\n`);
  },
  'one-field-without-end': function* () {
    yield latin1('HTTP/1.1 200 Told\r\nX-Odd: ');
    yield* repeat('a'.repeat(65_536), 4096);
  },
  'interim-flood': function* (message) {
    for (let at = 0; at < 100_000; at += 1)
      yield latin1('HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n');
    yield* renderWhole(message);
  },
  'interim-100-unasked': (message) => [
    latin1('HTTP/1.1 100 Continue\r\n\r\n'),
    ...renderWhole(message),
  ],
  'interim-only': () => [latin1('HTTP/1.1 102 Processing\r\n\r\n')],
  'switching-protocols': () => [
    latin1('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  ],
  'field-name-empty': withLine(': a'),
  'field-name-of-a-shell': withLine("X'; echo '\"$(id)`id`: a"),
  'length-with-plus': (message) => [
    renderHead(message, `Content-Length: +${message.body.length}`),
    message.body,
  ],
  'coding-of-transfer-stacked': (message) => [
    renderHead(message, 'Transfer-Encoding: gzip, chunked'),
    renderChunk(gzipSync(message.body)),
    renderChunk(new Uint8Array()),
  ],
  'coding-of-transfer-twice': (message) => [
    renderHead(message, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
    renderChunk(message.body),
    renderChunk(new Uint8Array()),
  ],
  'trailer-of-length': (message) => [
    renderHead(message, 'Transfer-Encoding: chunked'),
    renderChunk(message.body),
    latin1('0\r\nContent-Length: 5\r\n\r\n'),
  ],
  'interim-with-body': (message) => [
    latin1('HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\nabcde'),
    ...renderWhole(message),
  ],
  'head-cut': () => [latin1('HTTP/1.1 200 Told\r\nContent-Ty')],
});

/** More than was asked for, after a response that is as it should be. */
export const doubtfulFramingKinds = listKinds({
  'two-responses': (message) => [...renderWhole(message), ...renderWhole(message)],
  'garbage-after': (message) => [
    renderHead(message, `Content-Length: ${message.body.length}`),
    message.body,
    latin1('HTTP/1.1 500 Injected\r\nContent-Length: 0\r\n\r\n'.repeat(1000)),
  ],
});

function headLine(line: string): Spoil {
  return (message) => [latin1(`${line}\r\n`), ...afterFirstLine([...renderWhole(message)])];
}

function afterFirstLine([head, ...rest]: readonly Uint8Array[]): readonly Uint8Array[] {
  const text = Buffer.from(head ?? []).toString('latin1');
  return [latin1(text.slice(text.indexOf('\r\n') + 2)), ...rest];
}

function withLine(line: string): Spoil {
  return (message: Message) => [renderHead(message, line), message.body];
}

function* repeat(text: string, times: number): Generator<Uint8Array> {
  const bytes = latin1(text);
  for (let at = 0; at < times; at += 1) yield bytes;
}
