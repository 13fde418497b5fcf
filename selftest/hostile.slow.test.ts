import { renderReportFiles } from '../test/report/report-files.ts';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createService, type Respond } from './service/service.ts';
import type { RunningService } from './service/listener.ts';
import { describe, expect, test } from 'vitest';
import { createMovableClock, runConformance, type RunReport } from '../conformance/index.ts';
import { hasCode } from '../contract/error/petstore-error.ts';
import { parseJson } from '../contract/json/value.ts';
import { petstore as contract } from '../test/contract/petstore.ts';
import { readJsonReport } from '../report/index.ts';

type Field = readonly [name: string, value: string];

/** A response before it is sent. Its fields include `Content-Type`, but no framing. */
interface Message {
  readonly status: number;
  readonly fields: readonly Field[];
  readonly body: Uint8Array;
}

/** Returns the bytes to send instead of a response; the connection is closed after them. */
type Spoil = (message: Message) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The bytes of a text, each character one byte. */
function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** The head of a message, with `more` as its last lines. */
function renderHead({ status, fields }: Message, ...more: readonly string[]): Uint8Array {
  const lines = fields.map(([name, value]) => `${name}: ${value}`);
  return latin1(`HTTP/1.1 ${status} Reason\r\n${[...lines, ...more].join('\r\n')}\r\n\r\n`);
}

/** A correct message, framed by `Content-Length`. */
function* renderWhole(message: Message): Generator<Uint8Array> {
  yield renderHead(message, `Content-Length: ${message.body.length}`, 'Connection: close');
  yield message.body;
}

/** One chunk (RFC 9112 section 7.1). */
function renderChunk(bytes: Uint8Array, extension = ''): Uint8Array {
  const size = latin1(`${bytes.length.toString(16)}${extension}\r\n`);
  return Buffer.concat([size, bytes, latin1('\r\n')]);
}

/** The message with these fields instead of all others of the same names. */
function withFields(message: Message, ...fields: readonly Field[]): Message {
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  const others = message.fields.filter(([name]) => !names.has(name.toLowerCase()));
  return { ...message, fields: [...others, ...fields] };
}

/** The same message with another body, if it has one. */
function withBody(message: Message, body: string | Uint8Array): Message {
  return message.body.length === 0 ? message : { ...message, body: Buffer.from(body) };
}

/** Serves the plain service on a free port of this machine; `spoil` rewrites each response. */
async function listenHostile(spoil: Spoil): Promise<RunningService> {
  const respond = createService();
  const sockets = new Set<Socket>();
  const server = createServer((request) => void serve(respond, spoil, request));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => void sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function serve(respond: Respond, spoil: Spoil, request: IncomingMessage): Promise<void> {
  const { socket, method = '', url: target = '', headers } = request;
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
    const connection = String(socket.remotePort ?? '');
    const body = Buffer.concat(chunks);
    const response = await respond({ method, target, headers, body, connection });
    const fields = Object.entries(response.headers);
    for await (const bytes of spoil({ status: response.status, fields, body: response.bytes })) {
      if (socket.destroyed) return;
      if (!socket.write(bytes)) await drained(socket);
    }
    socket.end();
  } catch {
    // The suite may close the connection at any time.
    socket.destroy();
  }
}

/** Resolves when a socket accepts more, or is closed. */
async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}

/** Ways in which a target is hostile, or unusual within the standards, by name. */
type Kinds = Readonly<Record<string, Spoil>>;

const change =
  (alter: (message: Message) => Message): Spoil =>
  (message) =>
    renderWhole(alter(message));

const fields = (...more: Message['fields']): Spoil =>
  change((message) => withFields(message, ...more));

const many = (count: number, name: string, value: string): Spoil =>
  fields(...Array.from({ length: count }, () => [name, value] as const));

const status = (code: number, ...more: Message['fields']): Spoil =>
  change((message) => ({ ...withFields(message, ...more), status: code }));

const limited = (retryAfter: string): Spoil => status(429, ['Retry-After', retryAfter]);

const edit = (alter: (text: string) => string, encoding: BufferEncoding = 'utf8'): Spoil =>
  change((message) =>
    withBody(message, Buffer.from(alter(Buffer.from(message.body).toString()), encoding)),
  );

/** Replaces the value of a member in every item. */
const member = (name: string, json: string): Spoil =>
  edit((text) =>
    text.replaceAll(new RegExp(`"${name}":("[^"]*"|[-\\d]+)`, 'g'), () => `"${name}":${json}`),
  );

/** Replaces every body by this one, which is made when it is first sent. */
function body(make: () => string | Uint8Array, coding?: string): Spoil {
  let made: Uint8Array | undefined;
  return change((message) => {
    if (message.body.length === 0) return message;
    const replaced = withBody(message, (made ??= Buffer.from(make())));
    return coding === undefined ? replaced : withFields(replaced, ['Content-Encoding', coding]);
  });
}

/** Compresses every body. */
const packed = (coding: string, pack: (bytes: Uint8Array) => Uint8Array): Spoil =>
  change((message) =>
    message.body.length === 0
      ? message
      : withFields(withBody(message, pack(message.body)), ['Content-Encoding', coding]),
  );

/** Replaces the framing: `lines` in the head, and what follows the head. */
const framed = (
  lines: readonly string[],
  follow: (body: Uint8Array) => Iterable<Uint8Array>,
): Spoil =>
  function* (message) {
    yield renderHead(message, ...lines);
    yield* follow(message.body);
  };

const chunked = (
  follow: (body: Uint8Array) => Iterable<Uint8Array>,
  line = 'Transfer-Encoding: chunked',
): Spoil => framed([line], follow);

const end = latin1('0\r\n\r\n');

function* chunksOf(bytes: Uint8Array, extension = ''): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 16)
    yield renderChunk(bytes.subarray(at, at + 16), extension);
  yield end;
}

/** Sends these bytes before a correct response. */
const after = (bytes: Uint8Array): Spoil =>
  function* (message) {
    yield bytes;
    yield* renderWhole(message);
  };

const head = (alter: (text: string) => string): Spoil =>
  function* (message) {
    const [first, ...rest] = [...renderWhole(message)];
    yield latin1(alter(Buffer.from(first ?? []).toString('latin1')));
    yield* rest;
  };

function* repeat(bytes: Uint8Array, times: number): Generator<Uint8Array> {
  for (let at = 0; at < times; at += 1) yield bytes;
}

function* number(count: number, write: (at: number) => string): Generator<Uint8Array> {
  for (let at = 0; at < count; at += 1) yield latin1(write(at));
}

/** A frame of zstd that decoders skip (RFC 8878 section 3.1.2). */
function skippable(bytes: number): Uint8Array {
  const frame = Buffer.alloc(8 + bytes);
  frame.writeUInt32LE(0x184d2a50, 0);
  frame.writeUInt32LE(bytes, 4);
  return frame;
}

const mebibyte = 1024 * 1024;

const listOf = (length: number, item: (at: number) => string): string =>
  `[${Array.from({ length }, (_, at) => item(at)).join()}]`;

/** A target whose successful responses look like this must never conform. */
const hostileKinds: Kinds = {
  // Not an HTTP response, or one whose length is not that of its body.
  'no-bytes': () => [],
  'no-http': () => [latin1('220 mail.example ESMTP\r\n')],
  'tls-alert': () => [latin1('\x15\x03\x01\x00\x02\x02\x28')],
  'status-of-letters': head((text) => text.replace(/ \d+ /, ' abc ')),
  'status-999': head((text) => text.replace(/ \d+ /, ' 999 ')),
  'reason-of-escapes': head((text) => text.replace(/\d+ Reason/, '500 \x1b[2J\x9b31m::error::')),
  'reason-without-end': function* () {
    yield latin1('HTTP/1.1 200 ');
    yield* repeat(latin1('a'.repeat(65_536)), 4096);
  },
  'field-with-nul': framed(['X-Odd: a\0b'], (bytes) => [bytes]),
  'length-too-long': (message) => [
    renderHead(message, `Content-Length: ${message.body.length + 10}`),
    message.body,
  ],
  'length-too-short': (message) => [
    renderHead(message, `Content-Length: ${Math.max(0, message.body.length - 3)}`),
    message.body,
  ],
  'length-of-a-terabyte': framed(['Content-Length: 1099511627776'], (bytes) => [bytes]),
  'length-and-chunks': framed(['Content-Length: 3', 'Transfer-Encoding: chunked'], chunksOf),
  'chunk-size-of-letters': chunked((bytes) => [latin1('zz\r\n'), bytes]),
  'chunks-without-end': chunked((bytes) => [renderChunk(bytes)]),
  'trailers-without-end': chunked(function* (bytes) {
    yield renderChunk(bytes);
    yield latin1('0\r\n');
    yield* number(100_000, (at) => `X-Trailer-${at}: ${'t'.repeat(100)}\r\n`);
  }),
  'head-without-end': function* () {
    yield latin1('HTTP/1.1 200 Reason\r\n');
    yield* number(100_000, (at) => `X-Field-${at}: ${'f'.repeat(100)}\r\n`);
  },
  'interim-flood': after(latin1('HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n'.repeat(100_000))),
  'interim-only': () => [latin1('HTTP/1.1 102 Processing\r\n\r\n')],
  'switching-protocols': () => [
    latin1('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  ],
  'coding-of-transfer-stacked': chunked(
    (bytes) => [renderChunk(gzipSync(bytes)), end],
    'Transfer-Encoding: gzip, chunked',
  ),
  'head-cut': () => [latin1('HTTP/1.1 200 Reason\r\nContent-Ty')],
  // Larger, deeper or slower than anybody reads, or without an end.
  'stream-without-end': framed(['Connection: close'], () =>
    repeat(latin1(' '.repeat(65_536)), Infinity),
  ),
  'chunks-forever': chunked(function* () {
    yield renderChunk(latin1('['));
    const pets = '{"id":1,"name":"a","categoryId":1},'.repeat(2000);
    yield* repeat(renderChunk(latin1(pets)), Infinity);
  }),
  'one-byte-chunks': chunked(() =>
    repeat(Buffer.concat(Array.from({ length: 5000 }, () => renderChunk(latin1(' ')))), Infinity),
  ),
  'text-10-mb': body(() => `{"id":1,"name":"${'a'.repeat(10_000_000)}","categoryId":1}`),
  'list-of-100000': body(() => listOf(100_000, (at) => `{"id":${at},"name":"a","categoryId":1}`)),
  'list-of-nulls': body(() => listOf(200_000, () => 'null')),
  'object-of-200000': body(() => `{${listOf(200_000, (at) => `"m${at}":${at}`).slice(1, -1)}}`),
  'integers-of-300-digits': body(() => listOf(20_000, () => '9'.repeat(300))),
  'deep-1000000': body(() => '['.repeat(1_000_000) + ']'.repeat(1_000_000)),
  'deep-unclosed': body(() => '['.repeat(8_000_000)),
  'deep-objects': body(() => `${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`),
  'bytes-15-mb': body(() => Buffer.alloc(15 * mebibyte, 0xff)),
  'gzip-bomb': body(() => gzipSync(Buffer.alloc(64 * mebibyte, 32)), 'gzip'),
  'gzip-bomb-in-gzip': body(
    () => gzipSync(gzipSync(Buffer.alloc(64 * mebibyte, 32))),
    'gzip, gzip',
  ),
  'zstd-bomb': body(() => zstdCompressSync(Buffer.alloc(256 * mebibyte, 32)), 'zstd'),
  'zstd-frames-2000': body(
    () => Buffer.concat(Array.from({ length: 2000 }, () => zstdCompressSync(new Uint8Array()))),
    'zstd',
  ),
  'br-of-large-window': body(
    () =>
      brotliCompressSync(latin1('[]'), {
        params: { [constants.BROTLI_PARAM_LARGE_WINDOW]: 1, [constants.BROTLI_PARAM_LGWIN]: 30 },
      }),
    'br',
  ),
  'zstd-with-garbage': packed('zstd', (bytes) =>
    Buffer.concat([zstdCompressSync(bytes), latin1('x')]),
  ),
  'gzip-cut': packed('gzip', (bytes) => gzipSync(bytes).subarray(0, -6)),
  'gzip-claimed': fields(['Content-Encoding', 'gzip']),
  'codings-100': fields(['Content-Encoding', Array(100).fill('gzip').join(', ')]),
  'fields-70000-bytes': fields(['X-Odd', 'a'.repeat(70_000)]),
  'cookies-100000': many(100_000, 'Set-Cookie', 'a=b'),
  'rate-limits-500': many(500, 'X-RateLimit-Limit', '1'),
  // Not JSON, JSON that few read alike, and bodies with other content.
  'body-empty': body(() => ''),
  'json-null': body(() => 'null'),
  'json-twice': edit((text) => text + text),
  'json-trailing-comma': edit((text) => text.replace(/([\]}])$/, ',$1')),
  'json-bom': edit((text) => `\ufeff${text}`),
  'json-utf16': edit((text) => text, 'utf16le'),
  'json-bytes-bad': edit((text) => text.replace('"name":"', '"name":"\xff\xfe'), 'latin1'),
  'json-lone-surrogate-bytes': edit(
    (text) => text.replace('"name":"', '"name":"\xed\xa0\x80'),
    'latin1',
  ),
  'list-of-lists': edit((text) => `[${text}]`),
  'proto-only': body(() => '{"__proto__":{"id":1,"name":"a","categoryId":1}}'),
  'id-huge': member('id', '1e400'),
  'id-of-100000-digits': member('id', '9'.repeat(100_000)),
  'id-fraction-of-100000-digits': member('id', `0.${'1'.repeat(100_000)}`),
  'id-minus-zero': member('id', '-0.0'),
  'id-not-a-number': member('id', 'NaN'),
  'id-deep': member('id', `${'['.repeat(150)}1${']'.repeat(150)}`),
  'name-escapes': member('name', String.raw`"\u001b[31m\u009b2J\u0000\u202e::error::</script>"`),
  'name-raw-control': member('name', '"\x1b[2J\x07"'),
  'name-lone-surrogate': member('name', String.raw`"\ud800"`),
  'name-of-2-mb': member('name', `"${'a'.repeat(2_000_000)}"`),
  'name-of-escapes': member('name', `"${String.raw`\u0000`.repeat(200_000)}"`),
  'name-unseen-600000': member('name', `"${'\u202e\u0336\u200b'.repeat(200_000)}"`),
  'type-html': fields(['Content-Type', 'text/html']),
  'type-twice': fields(['Content-Type', 'application/json'], ['Content-Type', 'text/html']),
  'type-of-garbage': fields(['Content-Type', ';;;=\x9b']),
  // Fields with values that no client expects, and statuses with another meaning.
  'retry-after-huge': limited('9'.repeat(40)),
  'retry-after-negative': limited('-1'),
  'retry-after-far': limited('Fri, 31 Dec 9999 23:59:59 GMT'),
  'retry-after-garbage': limited('soon\x1b[31m'),
  'limit-huge': fields(['X-RateLimit-Limit', '9'.repeat(400)]),
  'limit-garbage': fields(['X-RateLimit-Limit', '\x9b31m; DROP']),
  'limit-of-20-kb': fields(['X-RateLimit-Limit', '1, '.repeat(7_000)]),
  'remaining-negative': fields(['X-RateLimit-Remaining', '-9']),
  'reset-huge': fields(['X-RateLimit-Reset', '1e400']),
  'redirect-forever': status(302, ['Location', '/v1/pets']),
  'redirect-away': status(302, ['Location', 'http://169.254.169.254/latest/meta-data/']),
  'redirect-with-escapes': status(302, ['Location', '/\x9b2J\x1b]0;title\x07']),
  'server-error': status(500),
  'unauthorised-always': status(401),
  'no-content-always': status(204),
  'not-modified-always': status(304),
};

/** Valid, if unusual: a target that is otherwise correct conforms. */
const oddKinds: Kinds = {
  'chunk-extensions': chunked((bytes) => chunksOf(bytes, ';name="value";other')),
  trailers: framed(['Transfer-Encoding: chunked', 'Trailer: X-Sum'], (bytes) => [
    ...[...chunksOf(bytes)].slice(0, -1),
    latin1('0\r\nX-Sum: 1\r\n\r\n'),
  ]),
  'until-close': framed(['Connection: close'], (bytes) => [bytes]),
  'gzip-upper-case': packed('GZIP', gzipSync),
  'gzip-members': packed('gzip', (bytes) =>
    Buffer.concat([gzipSync(''), gzipSync(bytes.subarray(0, 3)), gzipSync(bytes.subarray(3))]),
  ),
  deflate: packed('deflate', deflateSync),
  'deflate-raw': packed('deflate', deflateRawSync),
  br: packed('br', brotliCompressSync),
  'zstd-frames': packed('zstd', (bytes) =>
    Buffer.concat([
      skippable(5),
      zstdCompressSync(bytes.subarray(0, 3)),
      skippable(0),
      zstdCompressSync(bytes.subarray(3)),
    ]),
  ),
  'gzip-then-br': packed('gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))),
  identity: packed('identity', (bytes) => bytes),
  'interim-50': after(latin1('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50))),
  'no-reason': head((text) => text.replace(' Reason\r\n', ' \r\n')),
  'http-10': head((text) => text.replace('HTTP/1.1', 'HTTP/1.0')),
  'one-byte-each': (message) =>
    Buffer.concat([...renderWhole(message)])
      .values()
      .map((byte) => Uint8Array.of(byte)),
  'many-fields': fields(
    ...Array.from({ length: 500 }, (_, at) => [`X-${at}`, 'a'.repeat(80)] as const),
  ),
  'fields-60000-bytes': fields(['X-Odd', 'a'.repeat(60_000)]),
  'cookies-600': many(600, 'Set-Cookie', 'a=b; Path=/'),
  'spaces-in-json': edit((text) => ' \n'.repeat(20_000) + text + '\t\r\n'.repeat(20_000)),
  'extra-member': edit((text) =>
    text.replaceAll('"id":', `"extra":${'['.repeat(100)}${']'.repeat(100)},"id":`),
  ),
  'proto-member': edit((text) =>
    text.replaceAll('"id":', '"__proto__":{"polluted":1},"constructor":{"prototype":{}},"id":'),
  ),
  'then-member': edit((text) => text.replaceAll('"id":', '"then":1,"toJSON":{},"id":')),
  'type-of-30-kb': fields(['Content-Type', `application/json; a="${'b;'.repeat(15_000)}"`]),
  'date-absurd': fields(['Date', 'Thu, 99 Foo 99999 99:99:99 XYZ']),
  'date-of-garbage': fields(['Date', '\x9b31m']),
  'link-absurd': fields(['Link', `<${'a'.repeat(20_000)}>; rel="prev"`]),
  'link-unclosed': fields(['Link', '<http://[; rel=']),
  'location-absurd': fields(['Location', 'http://[::1']),
  'proto-field': fields(['__proto__', 'a'], ['constructor', 'a']),
  'field-bytes': fields(['X-Odd', '\x80\x9b\xff']),
  'content-encoding-unknown': fields(['Content-Encoding', 'utf-8']),
};

/** HTTP or JSON readers disagree about these: any outcome is fine, but the run has to end. */
const doubtfulKinds: Kinds = {
  'two-responses': (message) => [...renderWhole(message), ...renderWhole(message)],
  'id-twice': edit((text) => text.replaceAll('"id":', '"id":"a","id":')),
  // Recipients ought to limit them (RFC 9112 section 7.1.1); Node takes 16 KiB.
  'chunk-extension-of-2-mb': chunked((bytes) =>
    bytes.length === 0 ? [end] : [renderChunk(bytes, `;a=${'b'.repeat(2_000_000)}`), end],
  ),
  // A window that ends in the year 5138.
  'reset-far': fields(['X-RateLimit-Reset', '99999999999999']),
};

/** Kinds whose responses always time out. */
const slow = /^(one-byte-chunks|reason-without-end)$/;

interface Trial {
  /** Undefined if the run is inconclusive and rejects. */
  readonly report: RunReport | undefined;
  readonly message: string;
}

/**
 * Runs the suite against a target that is hostile from its nth success on.
 *
 * @param timeout milliseconds a response may take: few where silence is the point, many where every
 * response comes, so that a busy machine changes nothing
 */
async function tryKind(
  spoil: Spoil,
  from: number,
  requests: number,
  timeout: number,
): Promise<Trial> {
  let successes = 0;
  const service = await listenHostile((message) => {
    const isSuccess = message.status < 300;
    if (isSuccess) successes += 1;
    return isSuccess && successes > from ? spoil(message) : renderWhole(message);
  });
  try {
    const target = { baseUrl: service.baseUrl, apiKey: 'service-enterprise' };
    const clock = createMovableClock();
    const report = await runConformance(contract, target, { requests, timeout, clock });
    return { report, message: '' };
  } catch (error) {
    if (hasCode(error, 'inconclusive')) return { report: undefined, message: error.message };
    throw error;
  } finally {
    await service.close();
  }
}

/** What is wrong with the files of a report. Each has to be complete and safe to display. */
function faultsOf(report: RunReport): readonly string[] {
  const files = new Map(renderReportFiles(report, contract).map(({ name, text }) => [name, text]));
  const reread = readJsonReport(parseJson(files.get('report.json') ?? ''), contract);
  parseJson(files.get('exchanges.har') ?? '');
  const isSame =
    reread.outcome === report.outcome && reread.exchanges.length === report.exchanges.length;
  const raw = [...files].flatMap(([name, text]) =>
    // oxlint-disable-next-line no-control-regex
    !/json|har/.test(name) && /[\0\x07\x1b\x9b]/.test(text) ? [`${name} has control bytes`] : [],
  );
  return [...(isSame && files.size === 5 ? [] : ['report.json reads differently']), ...raw];
}

/** The outcome of a run, and what is wrong with its report. */
function read({ report, message }: Trial): readonly [outcome: string, faults: readonly string[]] {
  if (report !== undefined) return [report.outcome, faultsOf(report)];
  return ['inconclusive', /^\S.*[.?)]$/s.test(message) ? [] : [message]];
}

describe('a hostile target', () => {
  test.for(Object.entries(hostileKinds).map(([id, spoil], place) => ({ id, spoil, place })))(
    '$id fails or is inconclusive',
    { timeout: 300_000 },
    async ({ id, spoil, place }) => {
      const trial = await tryKind(spoil, place % 3, slow.test(id) ? 6 : 16, 1000);
      const [outcome, faults] = read(trial);
      expect(outcome).toMatch(/^(failed|inconclusive)$/);
      expect(faults).toEqual([]);
    },
  );
});

describe('a target that is unusual within the standards', () => {
  test.for(Object.entries(oddKinds))('%s conforms', { timeout: 300_000 }, async ([, spoil]) => {
    const trial = await tryKind(spoil, 0, 60, 60_000);
    const failed = trial.report?.verdicts.flatMap((each) =>
      each.kind === 'failed' ? [`${each.requirement.id}: ${each.failures[0]?.received}`] : [],
    );
    expect([failed, trial.message, ...read(trial)]).toEqual([[], '', 'conforms', []]);
  });
});

test.for(Object.entries(doubtfulKinds))(
  '%s: the run ends',
  { timeout: 300_000 },
  async ([, spoil]) => {
    const [, faults] = read(await tryKind(spoil, 1, 16, 1000));
    expect(faults).toEqual([]);
  },
);

test('members such as __proto__ change only their own value', () => {
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
