import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { type JsonValue, renderJson } from '../contract/json/value.ts';
import { type Random, createRandom } from '../contract/sample/random.ts';
import { sampleSchema } from '../contract/sample/sample.ts';
import { loadPetstore } from '../test/mock/contracts.ts';
import { judgeResponse } from '../test/mock/response-judge.ts';
import { loadControlContract } from './control/declaration/document.ts';
import { listen } from './integrations/node/server.ts';
import { createMock } from './mock.ts';

const noFindings = (): HostileFindings => ({ statuses: new Map(), broken: [] });

let contract: Contract;
let control: Contract;
beforeAll(async () => {
  contract = await loadPetstore();
  control = await loadControlContract();
});

test('some hostile requests are sent to the control interface', () => {
  const asked = Array.from({ length: 2000 }, (_, index) =>
    hostileRequest({ contract, control }, 1, index),
  ).filter(({ target }) => target.startsWith('/_mock/sandboxes/c'));
  expect(asked.length).toBeGreaterThan(50);
  expect(new Set(asked.map(({ method }) => method))).toEqual(
    new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  );
});

/** How many are sent: a hundredth of those of a soak, and 2,000 at least. */
const requests = Math.max(2000, Number(process.env['SOAK_REQUESTS'] ?? 0) / 100);

test('hostile requests break nothing', { timeout: 120_000 + 60 * requests }, async () => {
  const faults: unknown[] = [];
  const mock = createMock(contract, {
    sandboxes: 20,
    maxMemory: 40_000,
    limits: { enterprise: { minute: 900_000_000, day: 900_000_000 } },
    onFault: (fault) => faults.push(fault),
  });
  const listening = await mock.listen();
  const findings = noFindings();
  const range = { port: listening.port, seed: 7, from: 0, to: requests };
  await sendHostile({ contract, control }, range, findings);
  await listening.close();
  expect([findings.broken, faults]).toEqual([[], []]);
  const statuses = [...findings.statuses.keys()];
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 413, 415]));
});

test(
  'a mock that returns 500 or breaks its document is detected',
  { timeout: 60_000 },
  async () => {
    const mock = createMock(contract);
    const spoiled = {
      ...mock,
      handle: (request: Parameters<typeof mock.handle>[0]) => {
        const response = mock.handle(request);
        if (response.status === 200) return { ...response, body: '[{"id":"one"}]' };
        return response.status === 404 ? { ...response, status: 500 } : response;
      },
    };
    const listening = await listen(spoiled);
    const findings = noFindings();
    const range = { port: listening.port, seed: 7, from: 0, to: 300 };
    await sendHostile({ contract, control }, range, findings);
    await listening.close();
    expect(findings.broken.length).toBeGreaterThan(10);
    expect(findings.broken.join('\n')).toMatch(/the status is 500/);
    expect(findings.broken.join('\n')).toMatch(/200: listPets\/response\.200\.body/);
  },
);

/** One request of a hostile client. */
interface HostileRequest {
  readonly bytes: Buffer;
  readonly method: string;
  readonly target: string;
  /** False for bytes that no server can read as one request. */
  readonly isWhole: boolean;
}

/** What hostile requests are made of: the document that a mock serves, and that of its control. */
interface HostileDocuments {
  readonly contract: Contract;
  readonly control: Contract;
}

interface HostileFindings {
  readonly statuses: Map<number, number>;
  /** What is wrong with a response, and the request. */
  readonly broken: string[];
}

const texts = [
  '',
  '0',
  '-1',
  '1e999',
  '9'.repeat(900),
  '9223372036854775808',
  'null',
  '__proto__',
  'constructor',
  '..',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '"',
  '\\',
  '漢字',
  '🐢',
  'é'.repeat(900),
  '\u0000',
  '\u0085\u2028',
  '\r\nX: y',
] as const;
const encodedParts = ['%', '%zz', '%00', '%2F', '%ED%A0%80', '%FF', '+', ';a=b', '%252e', '*'];
const extremes = ['-0', '0.1', '5e-324', '2147483648', '9007199254740993', '8.64e15', '1e400'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'SEARCH'];
const fields = [
  ['Authorization', 'Basic eDp5', 'Bearer', 'Bearer a b', 'Digest x="', 'Bearer enterprise_h1'],
  ['Accept', 'text/html', 'application/json;q=0', 'a/b;q=9', ';;;'],
  ['Content-Type', 'text/plain', 'application/xml', 'application/json; charset=utf-16', ';'],
  ['Content-Encoding', 'gzip', ',,,'],
  ['If-Match', '*', '"x"', ',,,'],
  ['Range', 'bytes=0-1'],
  ['Origin', 'null', 'http://evil.example'],
  ['Access-Control-Request-Method', 'PATCH', '*'],
  ['Prefer', 'wait=0', 'code=404', 'code=999', 'example=none', 'code="'],
  ['Expect', '100-continue', 'x'],
  ['X-HTTP-Method-Override', 'DELETE'],
] as const;

function below(random: Random, most: number): number {
  return Math.floor(random() * most);
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[below(random, values.length)];
  if (value === undefined) throw new RangeError('There is nothing to pick from.');
  return value;
}

function oddPart(random: Random): string {
  if (random() < 0.5) return `${below(random, 40)}`;
  return random() < 0.2 ? pick(random, encodedParts) : encodeURIComponent(pick(random, texts));
}

/** The request of a seed with an index from 0: the same in every run. */
function hostileRequest(
  { contract, control }: HostileDocuments,
  seed: number,
  index: number,
): HostileRequest {
  const random = createRandom((Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b)) >>> 0);
  for (let skip = 0; skip < 3; skip += 1) random();
  const isControl = random() < 0.1;
  const { basePath, operations } = isControl ? control : contract;
  // These reach other machines, or take minutes.
  const wanted = operations.filter(({ id }) => !/Webhook|Run|Report|streamEvents/.test(id));
  const operation = pick(random, wanted);
  const method = isControl || random() < 0.7 ? operation.method : pick(random, methods);
  const path = operation.path.replaceAll(/\{([^}]*)\}/g, (_, name: string) =>
    name === 'sandbox' ? `c${below(random, 40)}` : oddPart(random) || '1',
  );
  const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const query = [...names, oddPart(random)]
    .filter((name) => name !== 'wait' && random() < 0.3)
    .map((name) => `${name}=${oddPart(random)}`);
  const target = `${basePath}${random() < 0.95 ? path : `/${oddPart(random)}`}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const schema = operation.requestBody?.content[0]?.schema;
  const value =
    schema && sampleSchema(schema, { direction: 'request', seed: `${below(random, 50)}` }).value;
  const body = /^P|DELETE/.test(method) ? hostileBody(random, value ?? {}) : Buffer.alloc(0);
  const odd = fields.filter(() => !isControl && random() < 0.1);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Content-Length: ${body.length}`,
    ...(random() < 0.9 ? ['Authorization: Bearer demo-enterprise'] : []),
    ...(random() < 0.9 ? ['Content-Type: application/json'] : []),
    ...odd.map(([name, ...values]) => `${name}: ${pick(random, values)}`),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = Buffer.concat([head, body]);
  const isWhole = random() < 0.95;
  return { bytes: isWhole ? bytes : malformed(random, bytes), method, target, isWhole };
}

/** What the operation accepts, nearly that, or not JSON at all. */
function hostileBody(random: Random, sample: JsonValue): Buffer {
  const how = random();
  const text = renderJson(how < 0.4 ? sample : spoil(random, sample));
  if (how < 0.7) return Buffer.from(text);
  if (how < 0.85) return Buffer.from(text.replace(/-?\d+/, () => pick(random, extremes)));
  if (how < 0.852) return Buffer.from('x'.repeat(1_048_000 + below(random, 2000)));
  const depth = 1 + below(random, 5000);
  return Buffer.from(
    pick(random, [
      '['.repeat(depth),
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
      `{${'"a":1,'.repeat(below(random, 500))}"b":2}`,
      '{"name":"\\ud800","categoryId":1}',
      '\uFEFF{"name":"x","categoryId":1}',
      '{"name":"\xFF\xFE"}',
      'a=b&c=d&%zz=%',
      '',
    ]),
    random() < 0.5 ? 'latin1' : 'utf8',
  );
}

/** The value with another one in place of some. */
function spoil(random: Random, value: JsonValue): JsonValue {
  if (random() < 0.15) return pick<JsonValue>(random, [null, true, -1, 1e300, [], {}, ...texts]);
  if (Array.isArray(value)) return value.map((each: JsonValue) => spoil(random, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each = null]) => [
      random() < 0.1 ? pick(random, texts) : name,
      spoil(random, each),
    ]),
  );
}

/** What no client that follows HTTP sends (RFC 9112). */
function malformed(random: Random, bytes: Buffer): Buffer {
  const text = bytes.toString('latin1', 0, 4000);
  const begin = (line: string): Buffer =>
    Buffer.from(text.replace('\r\n', `\r\n${line}`), 'latin1');
  const copy = Buffer.from(bytes);
  copy[below(random, copy.length)] = below(random, 256);
  return pick(random, [
    bytes.subarray(0, below(random, bytes.length)),
    Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1'),
    begin('Content-Length: 3\r\nContent-Length: 4\r\n'),
    begin('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n'),
    begin(`X: ${'y'.repeat(20_000)}\r\n`),
    begin(' folded\r\n'),
    begin('A\u0000: b\r\n'),
    Buffer.from(text.replace('Host: localhost\r\n', ''), 'latin1'),
    Buffer.from(text.replace('HTTP/1.1', pick(random, ['HTTP/1.0', 'HTTP/9', ''])), 'latin1'),
    copy,
  ]);
}

/** Sends the requests with indexes from `from` up to `to`, and adds to the findings. */
async function sendHostile(
  documents: HostileDocuments,
  { port, seed, from, to }: Readonly<Record<'port' | 'seed' | 'from' | 'to', number>>,
  findings: HostileFindings,
): Promise<void> {
  let next = from;
  const drive = async (): Promise<void> => {
    for (let index = next++; index < to; index = next++) {
      const request = hostileRequest(documents, seed, index);
      const received = await exchange(port, request);
      const fault = judge(documents, request, received, findings);
      if (fault !== undefined)
        findings.broken.push(`${index}: ${fault}\n  ${request.bytes.toString('latin1', 0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, drive));
}

/** All that comes over a connection until the server closes it. Rejects after 30 seconds. */
async function exchange(port: number, { bytes, isWhole }: HostileRequest): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
  // A request may be whole only for this side: the server waits for the rest of what it read.
  if (isWhole) socket.write(bytes);
  else socket.end(bytes);
  await once(socket, 'close', { signal: AbortSignal.timeout(30_000) });
  return Buffer.concat(chunks);
}

function judge(
  { contract, control }: HostileDocuments,
  { method, target, isWhole }: HostileRequest,
  received: Buffer,
  { statuses }: HostileFindings,
): string | undefined {
  // Interim responses come before the one that counts.
  const text = received.toString('latin1').replace(/^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, '');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
  if (Number.isNaN(status)) return isWhole ? 'there is no response' : undefined;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status >= 500) return `the status is ${status}`;
  if (!isWhole || /HEAD|OPTIONS/.test(method) || /^transfer-encoding:/im.test(head))
    return undefined;
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1').toString();
  const request = { method, target, headers: {}, content: undefined };
  const judged = target.startsWith(`${control.basePath}/`) ? control : contract;
  const faults = judgeResponse(judged, request, { status, headers, body });
  return faults.length === 0 ? undefined : `${status}: ${faults.join('; ').slice(0, 500)}`;
}
