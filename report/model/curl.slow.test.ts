import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer as readBytes, text as readText } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { createSender, type SentRequest } from '../../conformance/index.ts';
import { loadYaml } from '../../test/conformance/judge-document.ts';
import { createCarrier } from '../../conformance/transport/carrier.ts';
import { listCredentialUses } from '../../conformance/transport/credential.ts';
import { createStillClock } from '../../test/conformance/still-clock.ts';
import { hostileText } from '../../test/page/view/hostile.ts';
import { renderCurl } from './curl.ts';

/** An operation for each way to carry credentials, with names that a shell reads otherwise. */
const schemes = {
  bearer: '{ type: http, scheme: bearer }',
  basic: '{ type: http, scheme: basic }',
  digest: '{ type: http, scheme: digest }',
  own: '{ type: http, scheme: "o!wn$`" }',
  header: '{ type: apiKey, in: header, name: X-Key }',
  shell: `{ type: apiKey, in: header, name: "X-'!\`$&|~" }`,
  query: '{ type: apiKey, in: query, name: api_key }',
  words: `{ type: apiKey, in: query, name: "k ey='@&[$]é*~" }`,
  cookie: '{ type: apiKey, in: cookie, name: session }',
  biscuit: `{ type: apiKey, in: cookie, name: "se$'\`ssé" }`,
};
const alternatives = [
  ...Object.keys(schemes).map((name) => [name]),
  ['bearer', 'header'],
  ['header', 'query', 'cookie'],
  ['query', 'words', 'cookie', 'biscuit'],
  ['basic', 'shell'],
  ['bearer', 'basic', 'query'],
];

async function loadSchemes(): Promise<Contract> {
  const paths = alternatives.map((names, at) => {
    const security = `[{ ${names.map((name) => `${name}: []`).join(', ')} }]`;
    return `  /a${at}: { get: { operationId: a${at}, security: ${security}, responses: { '200': { description: ok } } } }`;
  });
  const all = Object.entries(schemes).map(([name, scheme]) => `    ${name}: ${scheme}`);
  return await loadYaml(
    `paths:\n${paths.join('\n')}\ncomponents:\n  securitySchemes:\n${all.join('\n')}\n`,
  );
}

const keys = fc.oneof(
  fc.constantFrom('PRO_SECRET', 'free_alice', 'aB-1', 'user:pass:word', '-e', 'x'.repeat(90), '_'),
  fc
    .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    .filter((key) => key.length > 1),
  fc.constantFrom(
    "a'b",
    'a"b',
    'a b',
    '$HOME',
    '`id`',
    '\\n%s\\',
    '*',
    '50%+&=#?~',
    'a:',
    ':b',
    '!!',
  ),
);

const accept: readonly [string, string] = ['accept', 'application/json'];

const requests = fc.record({
  at: fc.integer({ min: 0, max: alternatives.length - 1 }),
  use: fc.constantFrom(...listCredentialUses()),
  query: fc.constantFrom('', '?limit=1', '?a=%20%5B&b=[1]', '?'),
  headers: fc.constantFrom<readonly (readonly [string, string])[]>(
    [['accept', 'application/json']],
    [
      ['accept', 'a/b'],
      ['cookie', "theme=d$ark'"],
    ],
    [accept, ['x-name', "'caf\u00e9' \u00ff"]],
  ),
  body: fc.oneof(
    fc.constantFrom(undefined, '{"name":"it\'s $1"}', '', 'a\0b\n\n', '%s\\n', '-e', '@/dev/null'),
    hostileText,
  ),
  isLatin: fc.boolean(),
});

/** What a server is asked, but for the fields that every client has of its own. */
interface Asked {
  readonly line: string;
  readonly fields: readonly string[];
  readonly body: string;
}

const ofClient = /^(host|connection|user-agent|content-length|transfer-encoding|expect):/;

async function listen(): Promise<{ url: string; asked: Asked[]; close: () => void }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void readBytes(request).then((bytes) => {
      const body = bytes.toString('latin1');
      const { method, url, rawHeaders } = request;
      const fields = rawHeaders.flatMap((name, index) =>
        index % 2 === 0 ? [`${name.toLowerCase()}: ${rawHeaders[index + 1]}`] : [],
      );
      const own = fields.filter((field) => !ofClient.test(field));
      // Some versions of curl write small letters there, which mean the same (RFC 3986 section 6.2.2.1).
      const target = url?.replace(/%[0-9a-f]{2}/gi, (each) => each.toUpperCase());
      asked.push({ line: `${method} ${target}`, fields: own.toSorted(), body });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  return { url: `http://127.0.0.1:${port}/v1`, asked, close: () => void server.close() };
}

test('the line sends what the suite sent, for every use of every credential', async () => {
  const contract = await loadSchemes();
  const { url: baseUrl, asked, close } = await listen();
  const request = ({ at, use, query, headers, body, isLatin }: Wanted): SentRequest => ({
    operation: `a${at}`,
    method: body === undefined ? 'GET' : 'POST',
    target: `/a${at}${query}`,
    headers: body === undefined ? headers : [...headers, ['content-type', 'application/json']],
    credential: use,
    body,
    ...(isLatin && { encoding: 'latin1' }),
  });
  const every = alternatives.flatMap((_names, at) =>
    listCredentialUses().map((use) => ({
      at,
      use,
      query: '',
      headers: [],
      body: undefined,
      isLatin: false,
    })),
  );
  const cases = [
    ...every.map((wanted) => ({ key: 'PRO_Secret-1', wanted: { ...wanted, headers: [accept] } })),
    // A key that holds no name is never cut before its name.
    ...fc.sample(
      fc
        .record({ key: fc.option(keys, { nil: undefined, freq: 9 }), wanted: requests })
        .filter(({ key, wanted }) => wanted.use !== 'nameless' || key?.includes('_') !== false),
      { seed: 23, numRuns: 300 },
    ),
  ];
  await using sender = createSender({ timeout: 10_000, verifyTls: true });
  const lines: string[] = [];
  for (const { key, wanted } of cases) {
    const sent = request(wanted);
    const carrier = createCarrier({ baseUrl, apiKey: key }, { clock: createStillClock(), sender });
    const [operation] = contract.operations.filter(({ id }) => id === sent.operation);
    await carrier.carry(
      [{ ...draft, operation: found(operation), request: sent }],
      { notBefore: 0, reason: 'limit' },
      () => {},
    );
    lines.push(
      `PETSTORE_API_KEY=${quote(key ?? 'none')}`,
      `${renderCurl(contract, { baseUrl, isKeyless: key === undefined }, sent)} >/dev/null`,
    );
  }
  const sentBySuite = asked.splice(0);
  expect(sentBySuite).toHaveLength(cases.length);
  const shell = spawn('sh', ['-s'], { stdio: ['pipe', 'ignore', 'pipe'] });
  shell.stdin.end(lines.map((line) => `${line} -s\n`.replace(/^(P.*) -s\n$/, '$1\n')).join(''));
  const [errors] = await Promise.all([readText(shell.stderr), once(shell, 'close')]);
  close();
  expect(errors).toBe('');
  expect(asked).toHaveLength(cases.length);
  for (const [at, each] of asked.entries())
    expect([cases[at], lines[2 * at + 1], each]).toEqual([
      cases[at],
      lines[2 * at + 1],
      sentBySuite[at],
    ]);
}, 300_000);

type Wanted = Omit<Sampled, 'query'> & { readonly query: string };
type Sampled = typeof requests extends fc.Arbitrary<infer Value> ? Value : never;

const draft = {
  probe: 'test',
  intent: { kind: 'beyond' },
  group: undefined,
} as const;

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function found(operation: Operation | undefined): Operation {
  if (operation === undefined) throw new Error('no such operation');
  return operation;
}
