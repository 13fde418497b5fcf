import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { petstore } from '../test/contract/petstore.ts';
import { judgeContent, judgeFields } from '../conformance/index.ts';
import { readHarValue } from './har.ts';
import { startProxy } from './proxy.ts';
import { TrafficJudge, type TrafficSum } from './judge.ts';

/** What a server answers, by method and path. */
type Server = (method: string, path: string) => readonly [status: number, value: unknown];

const pet = { id: 1, name: 'a test', categoryId: 1, status: 'available' };
const problem = (status: number, code: string) =>
  [status, { code, message: `No name, test or pets: ${code}.`, status }] as const;

const right: Server = (method, path) => {
  if (path.includes('limit=0')) return problem(400, 'test');
  if (path.startsWith('/pets/9')) return problem(404, 'name');
  if (path.startsWith('/pets/')) return [200, pet];
  return method === 'POST' ? [201, { ...pet, name: 'Rex' }] : [200, [pet, { ...pet, id: 2n }]];
};

const faults: Readonly<Record<string, Server>> = {
  'a status of its own': (...asked) => alter(right(...asked), { status: 'availables' }),
  'a number for a name': (...asked) => alter(right(...asked), { name: 7 }),
  'no name': (...asked) => alter(right(...asked), { name: undefined }),
  'a number for a code': (...asked) => alter(right(...asked), { code: 7 }),
};

function alter([status, value]: ReturnType<Server>, change: object): ReturnType<Server> {
  const known = (item: object): object =>
    Object.keys(change).some((name) => name in item) ? { ...item, ...change } : item;
  return [status, Array.isArray(value) ? value.map(known) : known(Object(value))];
}

const requests: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/pets?limit=2&status=available'],
  ['GET', '/pets'],
  ['GET', '/pets/1'],
  ['GET', '/pets/9'],
  ['GET', '/pets?limit=0'],
  ['POST', '/pets', '{"name":"Rex","categoryId":1}'],
];

const start = Date.UTC(2026, 5, 1, 12);

const render = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));

function headersOf(nth: number): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': `${59 - nth}`,
    'X-RateLimit-Reset': '1780315260',
  };
}

async function byHar(server: Server, key: string): Promise<TrafficSum> {
  const pairs = (fields: Readonly<Record<string, string>>): readonly object[] =>
    Object.entries(fields).map(([name, value]) => ({ name, value }));
  const entries = requests.map(([method, path, body], nth) => {
    const [status, value] = server(method, path);
    const fields = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    return {
      startedDateTime: new Date(start + nth * 1000).toISOString(),
      time: 5,
      request: {
        method,
        url: `https://api.example/v1${path}`,
        headers: pairs(fields),
        ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
      },
      response: {
        status,
        headers: pairs(headersOf(nth)),
        content: { mimeType: 'application/json', text: render(value) },
      },
    };
  });
  const judge = new TrafficJudge(petstore, {
    baseUrl: 'https://api.example/v1',
    showsCredentials: true,
  });
  for (const each of readHarValue(JSON.parse(render({ log: { version: '1.2', entries } }))))
    judge.take(each);
  return judge.sum();
}

async function byProxy(server: Server, key: string): Promise<TrafficSum> {
  let nth = 0;
  const target = createServer(({ method = '', url = '' }, response) => {
    const [status, value] = server(method, url.slice('/v1'.length));
    response.sendDate = false;
    response.writeHead(status, headersOf((nth += 1))).end(render(value));
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  const port = typeof address === 'object' ? address?.port : '';
  let now = start;
  const proxy = await startProxy(petstore, {
    target: `http://127.0.0.1:${port}/v1`,
    now: () => (now += 1),
  });
  for (const [method, path, body] of requests)
    await fetch(proxy.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    }).then((response) => response.text());
  await proxy.close();
  target.close();
  return proxy.sum();
}

const idsOf = ({ verdicts }: TrafficSum, kind: string): readonly string[] =>
  verdicts.flatMap((verdict) => (verdict.kind === kind ? [verdict.requirement.id] : []));

/** What the exchanges of a report show, which have no key: other readers judge by them. */
function judgeLog({ exchanges }: TrafficSum, kind: string): readonly string[] {
  const findings = exchanges.flatMap((exchange) => [
    ...judgeFields(petstore, exchange).findings,
    ...judgeContent(petstore, exchange),
  ]);
  const found = findings.filter((finding) => finding.kind === kind && 'requirement' in finding);
  return found.map((finding) => ('requirement' in finding ? finding.requirement : ''));
}

const keys = ['test', 'name', 'available', '1', 'pets', 'code', 'status', 'Rex"'];

describe.each([
  ['HAR', byHar],
  ['proxy', byProxy],
] as const)('%s: the text of the key changes no verdict', (_name, through) => {
  test.each(keys)('%s, for a correct server', async (key) => {
    const sum = await through(right, key);
    expect(idsOf(sum, 'failed')).toEqual([]);
    expect(idsOf(sum, 'passed')).toEqual(idsOf(await through(right, 'k3y-of-no-text'), 'passed'));
    expect(judgeLog(sum, 'failed')).toEqual([]);
  });

  test.each(Object.entries(faults))('for a server with %s', async (_fault, server) => {
    const failed = idsOf(await through(server, 'k3y-of-no-text'), 'failed');
    expect(failed).not.toEqual([]);
    for (const key of keys) {
      const sum = await through(server, key);
      expect([key, idsOf(sum, 'failed')]).toEqual([key, failed]);
      const shown = judgeLog(sum, 'failed');
      expect([key, shown.filter((id) => !failed.includes(id))]).toEqual([key, []]);
    }
  });

  test('the places where it was removed are marked', async () => {
    const { exchanges } = await through(right, 'name');
    const bodies = exchanges.flatMap(({ outcome }) =>
      outcome.kind === 'answered' ? [outcome.response.body] : [],
    );
    expect(bodies.filter((body) => !body.includes('[redacted]'))).toEqual([]);
  });
});
