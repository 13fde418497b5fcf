import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { Outcome } from './exchange.ts';
import { createSender } from './sender.ts';
import {
  BodyIntake,
  createAllowance,
  endlessFactor,
  measureJson,
  maxCodings,
  maxFrames,
  maxBytes,
  maxLevels,
  maxValues,
  undoCodings,
} from './body-intake.ts';
import { maxInterim } from './sender.ts';
import {
  maxHeaderBytes,
  responseBytesLimit,
  maxResponseValues,
} from '../../contract/limits/index.ts';

const most = 1024;

function take(body: string, allowance = createAllowance(responseBytesLimit)): void {
  allowance.take({ headers: [], body, length: Buffer.byteLength(body) });
}

function intakeOf(headers: readonly (readonly [string, string])[], limit = most): BodyIntake {
  return new BodyIntake(headers, { bytes: limit, allowance: createAllowance(limit) });
}

function coded(coding: string, bytes: Uint8Array, limit = most) {
  const intake = intakeOf([['Content-Encoding', coding]], limit);
  intake.add(bytes);
  return intake.text();
}

test('responseBytesLimit: a body, by its declared and its actual length', () => {
  const within = intakeOf([['Content-Length', String(most)]]);
  within.add(Buffer.alloc(most, 32));
  expect(within.text()).toEqual({ body: ' '.repeat(most), utf8: true });
  const long = [['Content-Length', String(most + 1)]] as const;
  expect(() => intakeOf(long)).toThrow(
    'its body has 1,025 bytes by its Content-Length; at most 1,024 are read (--max-response-bytes)',
  );
  const head = new BodyIntake(long, { bytes: most, allowance: createAllowance(most) }, true);
  expect(head.text()).toEqual({ body: '', utf8: true });
  const over = intakeOf([]);
  over.add(new Uint8Array(most + 1));
  expect(() => over.text()).toThrow('its body has 1,025 bytes; at most 1,024 are read');
});

test('endlessFactor: a body that does not end', () => {
  const intake = intakeOf([['Content-Length', 'a lie']]);
  for (let at = 0; at < endlessFactor; at += 1) intake.add(new Uint8Array(most));
  expect(() => intake.add(new Uint8Array(1))).toThrow(
    expect.objectContaining({ reason: 'endless' }),
  );
});

test.for([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['gzip, br', (bytes: Uint8Array) => brotliCompressSync(gzipSync(bytes))],
] as const)('%s is decoded, and the decoded size is bounded too', ([coding, pack]) => {
  expect(coded(coding, pack(Buffer.alloc(most, 32))).body).toBe(' '.repeat(most));
  expect(() => coded(coding, pack(Buffer.alloc(most + 1, 32)))).toThrow('more than 1,024 bytes');
  const broken = pack(Buffer.from('{"a":1}')).subarray(0, -3);
  expect(() => coded(coding, broken)).toThrow('does not match its Content-Encoding');
});

test('an unknown coding is left encoded, and an empty body has no coding', () => {
  expect(coded('utf-8', Buffer.from('{}')).body).toBe('{}');
  expect(coded('gzip', new Uint8Array()).body).toBe('');
});

test('maxCodings: nested codings', () => {
  const wrap = (times: number): Uint8Array =>
    Array.from({ length: times }).reduce<Uint8Array>((bytes) => gzipSync(bytes), Buffer.from('7'));
  const allowed = maxCodings;
  const name = (times: number): string => Array.from({ length: times }, () => 'gzip').join();
  expect(coded(name(allowed), wrap(allowed)).body).toBe('7');
  expect(() => coded(name(allowed + 1), wrap(allowed + 1))).toThrow('5 content codings');
});

test('concatenated zstd frames are decoded up to the limit', () => {
  const frames = ['{"a":', '1}'].map((text) => zstdCompressSync(Buffer.from(text)));
  expect(coded('zstd', Buffer.concat(frames)).body).toBe('{"a":1}');
  const empty = zstdCompressSync(Buffer.of());
  const many = Buffer.concat(Array.from({ length: maxFrames + 1 }, () => empty));
  expect(() => undoCodings(many, 'zstd', most)).toThrow('more than 1,000 zstd frames');
});

test.for([
  ['{"a":[1,2]}', 4, 2],
  ['[]', 1, 1],
  ['[[],{}]', 3, 2],
  ['[[[]]]', 3, 3],
  ['["[,{\\"","\\\\"]', 3, 1],
  ['{"a":{"b":[true,null]},"c":"}"}', 6, 3],
  ['7,[1,2', 1, 0],
] as const)('%s has %i values and %i levels', ([text, values, levels]) => {
  expect(measureJson(text)).toEqual({ values, levels });
});

test('maxResponseValues and maxLevels: values in a body', () => {
  const list = (values: number): string => `[${'0,'.repeat(values - 2)}0]`;
  take(list(maxResponseValues));
  expect(() => take(list(maxResponseValues + 1))).toThrow('120,001 values');
  const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  take(nest(maxLevels));
  expect(() => take(nest(maxLevels + 1))).toThrow('nested 201 levels deep');
});

test('maxBytes and maxValues: large bodies of a run', () => {
  const text = `"${'a'.repeat(1024 * 1024 - 2)}"`;
  const bytes = createAllowance(responseBytesLimit);
  for (let at = 0; at < maxBytes / text.length; at += 1) take(text, bytes);
  expect(() => take(text, bytes)).toThrow('of one run at most 42,278,912 are kept');
  take('{"small":true}', bytes);

  const list = `[${'0,'.repeat(49_998)}0]`;
  const values = createAllowance(responseBytesLimit);
  for (let at = 0; at < maxValues / 50_000; at += 1) take(list, values);
  expect(() => take(list, values)).toThrow('of one run at most 1,109,200 are kept');
  const grown = createAllowance(2 * responseBytesLimit);
  for (let at = 0; at < (2 * maxValues) / 50_000; at += 1) take(list, grown);
});

test('maxBytes and maxValues: all responses of a run', () => {
  const text = `"${'a'.repeat(15 * 1024 - 2)}"`;
  const bytes = createAllowance(responseBytesLimit);
  // Of each, 8 KiB are on top.
  for (let at = 0; at < maxBytes / 7168 - 1; at += 1) take(text, bytes);
  const beyond = (): void => {
    for (let at = 0; at < 3; at += 1) take(text, bytes);
  };
  expect(beyond).toThrow(/15,360 bytes, after [\d,]+ in the responses before it/);
  take('{"small":true}', bytes);

  const list = `[${'0,'.repeat(7_998)}0]`;
  const values = createAllowance(responseBytesLimit);
  for (let at = 0; at < maxValues / 7_600 - 1; at += 1) take(list, values);
  const more = (): void => {
    for (let at = 0; at < 3; at += 1) take(list, values);
  };
  expect(more).toThrow(/8,000 values, after [\d,]+ in the responses before it/);

  const fields = createAllowance(responseBytesLimit);
  const headers = Array.from({ length: 4_000 }, () => ['a', ''] as const);
  const heads = (): void => {
    for (let at = 0; at < 200; at += 1) fields.take({ headers, body: '', length: 0 });
  };
  expect(heads).toThrow(/8,001 values, after/);
  const usual = createAllowance(responseBytesLimit);
  const response = { headers: headers.slice(0, 20), body: list.slice(0, 701) + ']', length: 8_000 };
  for (let at = 0; at < 20_000; at += 1) usual.take(response);
});

test('maxHeaderBytes: header fields of a response', async () => {
  const field = (bytes: number): string =>
    `HTTP/1.1 204 None\r\nX-Odd: ${'a'.repeat(bytes)}\r\n\r\n`;
  expect(await receive(field(maxHeaderBytes - 100))).toMatchObject({
    kind: 'answered',
  });
  expect(await receive(field(maxHeaderBytes))).toMatchObject({
    error: { reason: 'too-large', message: expect.stringContaining('65,536 bytes') },
  });
});

test('maxInterim: interim responses', async () => {
  const interim = (times: number): string =>
    `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(times)}HTTP/1.1 204 None\r\n\r\n`;
  expect(await receive(interim(maxInterim))).toMatchObject({ kind: 'answered' });
  expect(await receive(interim(maxInterim + 1))).toMatchObject({
    error: { reason: 'endless', message: expect.stringContaining('more than 100 interim') },
  });
});

/** What comes of a response whose bytes are these. */
async function receive(bytes: string): Promise<Outcome> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await using sender = createSender({ timeout: 20_000, verifyTls: true });
  const url = `http://127.0.0.1:${port}/`;
  const outcome = await sender.send({ url, method: 'GET', headers: [], body: undefined });
  server.close();
  return outcome;
}
