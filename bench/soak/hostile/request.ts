import {
  type Contract,
  type Operation,
  type Random,
  createRandom,
} from '../../../contract/index.ts';
import { hostileBody } from './body.ts';
import { hostileControl } from './control.ts';
import { below, oddPart, oddText, pick } from './texts.ts';

/** One request of a hostile client, as bytes. */
export interface HostileRequest {
  readonly index: number;
  readonly bytes: Buffer;
  readonly method: string;
  readonly target: string;
  /** Undefined for what no server can read as one request: then any number of refusals may come. */
  readonly operation: Operation | undefined;
  readonly isWhole: boolean;
}

/** What hostile requests are made of: the document that a mock serves, and that of its control. */
export interface HostileDocuments {
  readonly contract: Contract;
  readonly control: Contract;
}

/** The request of a seed with an index from 0: the same in every run. */
export function hostileRequest(
  { contract, control }: HostileDocuments,
  seed: number,
  index: number,
): HostileRequest {
  const random = createRandom((Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b)) >>> 0);
  for (let skip = 0; skip < 3; skip += 1) random();
  if (random() < 0.05) return controlRequest(random, control, index);
  const operation = random() < 0.85 ? anyOf(random, contract.operations) : undefined;
  const method = random() < 0.7 ? (operation?.method ?? 'GET') : pick(random, methods);
  const target = hostileTarget(random, contract, operation);
  const takesBody = /^(?:POST|PUT|PATCH|DELETE)$/.test(method) && random() < 0.95;
  const body = takesBody ? hostileBody(random, operation) : Buffer.alloc(0);
  const isChunked = takesBody && random() < 0.1;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...hostileFields(random),
    ...(takesBody ? [contentType(random)] : []),
    ...(isChunked
      ? ['Transfer-Encoding: chunked']
      : takesBody
        ? [`Content-Length: ${body.length}`]
        : []),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = Buffer.concat([head, isChunked ? chunked(random, body) : body]);
  if (random() < 0.97) return { index, bytes, method, target, operation, isWhole: true };
  return { index, bytes: malformed(random, bytes), method, target, operation, isWhole: false };
}

/** As a program on this machine sends it, or a page. */
function controlRequest(random: Random, control: Contract, index: number): HostileRequest {
  const { method, target, body } = hostileControl(random, control);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${random() < 0.95 ? 'localhost' : pick(random, ['[::1]', 'evil.example', '127.1', 'localhost.'])}`,
    ...(random() < 0.05 ? [pick(random, pageFields)] : []),
    ...(body.length === 0 ? [] : ['Content-Type: application/json']),
    `Content-Length: ${body.length}`,
  ];
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  return { index, bytes, method, target, operation: undefined, isWhole: true };
}

const pageFields = [
  'Origin: null',
  'Origin: http://evil.example',
  'Sec-Fetch-Site: cross-site',
  'Sec-Fetch-Site: same-origin',
  'Sec-Fetch-Site: none, none',
] as const;

const methods = [
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
] as const;

function anyOf<Value>(random: Random, values: readonly Value[]): Value | undefined {
  return values[below(random, values.length)];
}

function hostileTarget(
  random: Random,
  { basePath }: Contract,
  operation: Operation | undefined,
): string {
  const path =
    operation === undefined
      ? pick(random, [
          `/${oddPart(random)}`,
          '',
          '/',
          '//',
          `/${oddPart(random)}/${oddPart(random)}`,
        ])
      : operation.path.replaceAll(/\{[^}]*\}/g, () => oddPart(random) || '1');
  const whole = random() < 0.97 ? basePath + path || '/' : `/_mock/sandboxes/${oddPart(random)}`;
  const names = operation?.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const pairs = Array.from({ length: random() < 0.5 ? 0 : below(random, 4) }, () => {
    const name = random() < 0.7 ? anyOf(random, names ?? []) : undefined;
    return `${encodeURIComponent(name ?? '') || oddPart(random)}=${oddPart(random)}`;
  });
  return pairs.length === 0 ? whole : `${whole}?${pairs.join('&')}`;
}

function hostileFields(random: Random): readonly string[] {
  const key = random();
  const credential =
    key < 0.6
      ? 'Bearer demo-enterprise'
      : key < 0.8
        ? `Bearer enterprise_h${below(random, 5000)}`
        : pick(random, [
            `Bearer ${fieldText(random)}`,
            'Basic eDp5',
            'Bearer',
            'Bearer a b',
            'Digest x="',
          ]);
  const odd = Array.from({ length: below(random, 3) }, () => {
    const name = pick(random, names);
    return `${name}: ${valueOf(random, name)}`;
  });
  return [
    ...(key < 0.95 ? [`Authorization: ${credential}`] : []),
    ...(random() < 0.1 ? [`X-Api-Key: ${fieldText(random)}`] : []),
    ...odd,
  ];
}

const names = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Content-Encoding',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'Range',
  'Origin',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
  'Prefer',
  'Cookie',
  'X-HTTP-Method-Override',
  'Forwarded',
  'Expect',
  'TE',
  '__proto__',
] as const;

function valueOf(random: Random, name: (typeof names)[number]): string {
  if (name === 'Prefer')
    return pick(random, [
      'wait=0',
      'code=404',
      'code=999',
      'example=none',
      'respond-async',
      'code="',
      ', ,;=',
    ]);
  if (name === 'Expect') return pick(random, ['100-continue', 'x']);
  if (name === 'Accept')
    return pick(random, [
      '*/*',
      'text/html',
      'application/json;q=0',
      'a/b;q=9',
      '/',
      ';;;',
      '*/*;q=0.0001',
    ]);
  return pick(random, [fieldText(random), '*', '"x"', 'gzip', 'bytes=0-1', 'GET', 'null', ',,,']);
}

/** A text as a field may have it: bytes of Latin-1 without controls. */
function fieldText(random: Random): string {
  return oddText(random)
    .replaceAll(/[^\t\x20-\x7E\x80-\xFF]/g, '?')
    .trim();
}

function contentType(random: Random): string {
  const type =
    random() < 0.8
      ? 'application/json'
      : pick(random, [
          'application/json; charset=utf-16',
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/merge-patch+json',
          'application/xml',
          ';',
          '*/*',
          fieldText(random),
        ]);
  return `Content-Type: ${type}`;
}

/** In chunks of any size (RFC 9112 section 7.1). */
function chunked(random: Random, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  const size = 1 + below(random, Math.max(1, Math.ceil(body.length / 3)));
  for (let at = 0; at < body.length; at += Math.max(size, body.length >> 7)) {
    const part = body.subarray(at, at + Math.max(size, body.length >> 7));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** What no client that keeps to HTTP sends. */
function malformed(random: Random, bytes: Buffer): Buffer {
  const text = bytes.toString('latin1', 0, 4000);
  return pick<() => Buffer>(random, [
    () => bytes.subarray(0, below(random, bytes.length)),
    () => Buffer.from(Array.from({ length: below(random, 300) }, () => below(random, 256))),
    () => Buffer.from(text.replace(/\r\n/g, '\n'), 'latin1'),
    () =>
      Buffer.from(text.replace('\r\n', '\r\nContent-Length: 3\r\nContent-Length: 4\r\n'), 'latin1'),
    () =>
      Buffer.from(
        text.replace('\r\n', '\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n'),
        'latin1',
      ),
    () => Buffer.from(text.replace('Host: localhost\r\n', ''), 'latin1'),
    () =>
      Buffer.from(
        text.replace('HTTP/1.1', pick(random, ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''])),
        'latin1',
      ),
    () => Buffer.from(text.replace('\r\n', `\r\nX: ${'y'.repeat(20_000)}\r\n`), 'latin1'),
    () => Buffer.from(text.replace('\r\n', '\r\n folded\r\n'), 'latin1'),
    () => Buffer.from(text.replace('\r\n', '\r\nA\u0000: b\r\n'), 'latin1'),
    () => {
      const copy = Buffer.from(bytes);
      copy[below(random, copy.length)] = below(random, 256);
      return copy;
    },
    () => Buffer.concat([bytes, bytes, bytes]),
  ])();
}
