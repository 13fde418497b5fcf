import { describe, expect, test } from 'vitest';
import { loadYaml } from '../test/conformance/judge-document.ts';
import { petstore } from '../test/contract/petstore.ts';
import type { RecordedExchange } from './recorded.ts';
import { composeTrafficReport } from './report.ts';
import { bounds } from './tally.ts';
import { TrafficJudge, type TrafficSum } from './judge.ts';
import { requiredShare } from '../conformance/index.ts';

const baseUrl = 'https://api.example/v1';
const start = Date.UTC(2026, 5, 1, 12);
const pet = { id: 1, name: 'Rex', categoryId: 1, status: 'available' };

interface Told {
  readonly method?: string;
  readonly target?: string;
  readonly key?: string | undefined;
  readonly fields?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly status?: number;
  readonly answer?: unknown;
  /** Fields of the response beside the usual; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly foreign?: string;
  readonly url?: string;
  readonly isCut?: boolean;
  readonly remaining?: number;
}

const tell = (messages: Told, at: number): RecordedExchange => {
  const { method = 'GET', target = '/pets', key = 'key-of-ada', fields = [], body = '' } = messages;
  const { status = 200, answer = [pet], headers = {}, foreign, isCut, remaining = 50 } = messages;
  const usual = {
    Date: new Date(start + at * 1000).toUTCString(),
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': `${remaining}`,
    'X-RateLimit-Reset': `${start / 1000 + 60}`,
    ...headers,
  };
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return {
    place: '',
    request: {
      method,
      url: messages.url ?? baseUrl + target,
      headers: [
        ...(key === '' ? [] : [['authorization', `Bearer ${key}`] as const]),
        ...(body === '' ? [] : [['content-type', 'application/json'] as const]),
        ...fields,
      ],
      body: { kind: 'whole', text: body, utf8: true },
    },
    response: {
      status,
      headers: Object.entries(usual).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
      body:
        isCut === true
          ? { kind: 'unknown', reason: 'is cut' }
          : { kind: 'whole', text, utf8: true },
    },
    foreign,
    sentAt: start + at * 1000,
    endedAt: start + at * 1000 + 20,
  };
};

const judge = (messages: readonly Told[], showsCredentials = true): TrafficSum => {
  const found = new TrafficJudge(petstore, { baseUrl, showsCredentials });
  for (const [index, each] of messages.entries()) found.take(tell(each, index / 20));
  return found.sum();
};

const idsOf = ({ verdicts }: TrafficSum, kind: string): readonly string[] =>
  verdicts.flatMap((verdict) => (verdict.kind === kind ? [verdict.requirement.id] : []));

const error = (status: number): object => ({ code: 'x', message: 'No.', status });
const post = { method: 'POST', body: '{"name":"Rex","categoryId":1}', status: 201, answer: pet };

describe('a foreign exchange fails', () => {
  test.each<readonly [string, Told, readonly string[]]>([
    [
      'for a member of another type',
      { answer: [{ ...pet, id: 'one' }] },
      ['listPets/response.200.body[].id.type'],
    ],
    [
      'for another success',
      { ...post, status: 200 },
      ['createPet/status.201', '*/rate-limit.headers'],
    ],
    ['for a body that is not JSON', { answer: '[' }, ['listPets/response.200.body']],
    [
      'for another media type',
      { headers: { 'Content-Type': 'text/html' } },
      ['listPets/response.200.content-type'],
    ],
    [
      'for a missing header',
      { headers: { 'X-RateLimit-Limit': undefined } },
      ['listPets/response.200.header.X-RateLimit-Limit'],
    ],
    [
      'for a body that had to be refused',
      { ...post, body: '{"name":7,"categoryId":1}' },
      ['createPet/request.body.name.type'],
    ],
    ['for a request without a key', { key: '' }, ['listPets/auth.missing']],
    [
      'for more items than it was asked for',
      { target: '/pets?limit=1', answer: [pet, { ...pet, id: 2 }] },
      ['listPets/parameter.limit.bound'],
    ],
    [
      'for items that the filter leaves out',
      { target: '/pets?status=sold' },
      ['listPets/parameter.status.filter'],
    ],
    ['for an item twice', { answer: [pet, pet] }, ['listPets/state.distinct']],
    ['for another item', { target: '/pets/2', answer: pet }, ['getPet/state.read.id']],
    [
      'for another name than was sent',
      { ...post, answer: { ...pet, name: 'Max' } },
      ['createPet/state.echo.name'],
    ],
    ['for a crash', { status: 500, answer: error(500) }, ['listPets/robustness.no-server-error']],
    ['for more left than the limit', { remaining: 61 }, ['*/rate-limit.remaining-within-limit']],
    [
      'for a limit that ends in a year',
      { headers: { 'X-RateLimit-Reset': '1811808000' } },
      ['*/rate-limit.reset-plausible'],
    ],
  ])('%s, at first and after exchanges that break nothing', (_, messages, failed) => {
    const clean = [{}, post, { target: '/pets?limit=1' }, { target: '/pets/1', answer: pet }];
    for (const before of [[], clean, [...clean, ...clean]])
      expect(
        idsOf(judge([...before, messages]), 'failed')
          .filter((id) => failed.includes(id))
          .toSorted(),
      ).toEqual(failed.filter((id) => id !== '*/rate-limit.headers').toSorted());
  });
});

describe('a foreign exchange fails nobody', () => {
  test.each<readonly [string, Told]>([
    ['that keeps the contract', {}],
    [
      'in which an item is not there, though it may have been',
      { target: '/pets/7', status: 404, answer: error(404) },
    ],
    [
      'in which a valid body is refused, for reasons of the target',
      { ...post, status: 400, answer: error(400) },
    ],
    [
      'in which an invalid body is refused',
      { ...post, body: '{"name":7}', status: 400, answer: error(400) },
    ],
    ['in which the key may not do that', { status: 403, answer: error(403) }],
    ['in which the key is unknown', { status: 401, answer: error(401) }],
    ['of a wrong parameter that is taken', { target: '/pets?limit=1000' }],
    ['of a parameter twice', { target: '/pets?status=sold&status=available' }],
    [
      'that asks for a part',
      {
        fields: [['Range', 'bytes=0-1']],
        status: 206,
        answer: '[',
        headers: { 'Content-Type': 'application/octet-stream' },
      },
    ],
    ['that asks for changes only', { fields: [['If-None-Match', '"a"']], status: 304, answer: '' }],
    ['with a body that is cut', { isCut: true }],
    ['of a cache', { foreign: 'it came from the disk cache', answer: [{}] }],
    ['of another address', { url: 'https://cdn.example/v1/pets', answer: '' }],
    ['of another path', { target: '/owners', answer: '' }],
    ['of a path that cannot be read', { target: '/pets/%zz', answer: '' }],
    [
      'of a browser that asks first',
      { method: 'OPTIONS', fields: [['Access-Control-Request-Method', 'GET']], answer: '' },
    ],
  ])('%s', (_, messages) => {
    expect(idsOf(judge([messages]), 'failed')).toEqual([]);
  });

  test('without a key, if keys were removed from the recording', () => {
    expect(idsOf(judge([{ key: '' }], false), 'failed')).toEqual([]);
  });
});

describe('responses that cannot be fully judged', () => {
  const outcomeOf = (messages: readonly Told[]): readonly [string, string | undefined] => {
    const { outcome, inconclusive } = composeTrafficReport(petstore, baseUrl, judge(messages), {
      now: start,
    });
    return [outcome, inconclusive];
  };
  const times = (count: number, messages: Told): readonly Told[] =>
    Array<Told>(count).fill(messages);
  const refusal = { target: '/pets/7', status: 404, answer: error(404) };

  test('may be a tenth of all', () => {
    const most = 100 - requiredShare;
    const within = [...times(100 - most, {}), ...times(most, { isCut: true })].map(
      (each, index): Told => ({ ...each, key: `key-of-${index}` }),
    );
    expect(outcomeOf(within)).toEqual(['conforms', undefined]);
    expect(outcomeOf([...within, { isCut: true, target: '/pets?limit=2' }])).toEqual([
      'inconclusive',
      'GET /pets: the body of the response is cut; 90 of 101 exchanges of its operations could be fully judged (89 %); at least 90 % are required',
    ]);
  });

  test('may be a tenth of the successes, however many refusals were read', () => {
    const [outcome, reason] = outcomeOf([...times(99, refusal), { isCut: true }]);
    expect([outcome, reason]).toEqual([
      'inconclusive',
      'GET /pets: the body of the response is cut; 0 of 1 successes could be fully judged (0 %); at least 90 % are required',
    ]);
    expect(outcomeOf([...times(99, refusal), {}])).toEqual(['conforms', undefined]);
  });

  test('do not hide what failed', () => {
    const [outcome] = outcomeOf([...times(20, { isCut: true }), { answer: [{}] }]);
    expect(outcome).toBe('failed');
  });

  test('do not count if the document describes no body, or the client aborted or used a cache', () => {
    const gone = { target: '/pets/1', method: 'DELETE', status: 204, isCut: true };
    const cached = { foreign: 'it came from the disk cache' };
    expect(outcomeOf([{}, ...times(9, gone), ...times(9, cached)])).toEqual([
      'conforms',
      undefined,
    ]);
    const found = new TrafficJudge(petstore, { baseUrl, showsCredentials: true });
    found.take(tell({}, 0));
    const lost = (foreign: string): void =>
      void found.take({ ...tell({ foreign }, 1), response: undefined });
    lost('no response is recorded (net::ERR_ABORTED)');
    expect(found.sum().unread).toBeUndefined();
    lost('no response is recorded');
    expect(found.sum().unread).toContain('GET /pets: no response is recorded; 1 of 2 exchanges');
  });

  test('contain no key', () => {
    const found = judge([{ isCut: true, target: '/pets?limit=1', key: 'key-of-ada-lovelace' }]);
    expect(found.unread).not.toContain('key-of-ada');
  });
});

test('client errors and unjudged exchanges are reported and counted', () => {
  const { notes, seen, judged } = judge([
    { target: '/pets?limit=1000' },
    { target: '/pets?limit=2000' },
    { target: '/pets', status: 418, answer: error(418) },
    { target: '/owners' },
    { foreign: 'it came from the disk cache' },
    { url: 'https://cdn.example/a.js' },
  ]);
  expect([seen, judged]).toEqual([6, 3]);
  expect(notes.map(({ kind, sentence, count }) => [kind, sentence, count])).toEqual([
    ['request', 'listPets: the query parameter limit must be at most 100', 2],
    ['status', 'listPets returned 418, which it does not document', 1],
    ['outside', 'GET /owners: the document has no such path and method', 1],
    ['not-judged', 'it came from the disk cache', 1],
    ['outside', 'https://cdn.example is not below https://api.example/v1', 1],
  ]);
});

test('what was not shown is distinguished from what passed', () => {
  const found = judge([{}]);
  expect(idsOf(found, 'passed')).toContain('listPets/response.200.body[].id.type');
  expect(idsOf(found, 'not-tested')).toContain('getPet/response.200.body');
  expect(
    found.verdicts.flatMap((verdict) => (verdict.kind === 'not-tested' ? [verdict.reason] : [])),
  ).toContain('recorded traffic cannot show it (conform tests it)');
});

describe('the rate limit of a key', () => {
  const rising = (count: number): readonly Told[] =>
    Array.from({ length: count }, (_, index) => ({
      remaining: 10 + index,
      target: `/pets?limit=${index + 1}`,
    }));

  test('fails if Remaining rises within a window, whoever else uses the key', () => {
    expect(idsOf(judge(rising(8)), 'failed')).toContain('*/rate-limit.remaining-monotonic');
  });

  test('fails however late it rises', () => {
    const early = Array.from({ length: bounds.first + 50 }, (_, index): Told => ({
      remaining: 9 + bounds.together,
      target: `/pets?limit=${(index % 40) + 1}`,
    }));
    const found = judge([...early, ...rising(bounds.together)]);
    expect(idsOf(found, 'failed')).toContain('*/rate-limit.remaining-monotonic');
    const failed = found.verdicts.find(({ requirement }) => requirement.id.endsWith('monotonic'));
    expect(failed).toMatchObject({
      failures: [{ others: [501] }, { others: [503] }],
    });
  });

  test('is tracked for each key separately', () => {
    const messages = rising(8).map((each, index) => ({ ...each, key: `key-number-${index}` }));
    expect(idsOf(judge(messages), 'failed')).toEqual([]);
  });
});

test('a long run keeps the first exchanges and examples, and counts failures', () => {
  const count = bounds.first + 200;
  const messages = Array.from({ length: count }, (_, index): Told => ({
    answer: [{ ...pet, id: index < count - 20 ? 1 : 'one', name: `Rex ${index}` }],
    remaining: 50,
  }));
  const found = judge(messages);
  expect(found.seen).toBe(count);
  expect(found.exchanges.length).toBeLessThanOrEqual(bounds.first + 2 * bounds.failed);
  expect(Object.fromEntries(found.failures)).toEqual({
    'listPets/response.200.body[].id.type': 20,
  });
  const failed = found.verdicts.find(({ kind }) => kind === 'failed');
  expect(failed).toMatchObject({ failures: { length: bounds.failed } });
  const report = composeTrafficReport(petstore, baseUrl, found, { now: start });
  expect([report.outcome, report.traffic?.seen]).toEqual(['failed', count]);
});

test('nothing that was judged is inconclusive', () => {
  const report = composeTrafficReport(petstore, baseUrl, judge([{ target: '/owners' }]), {
    now: start,
  });
  expect(report.outcome).toBe('inconclusive');
});

test('keys are never reported, wherever they are', () => {
  const found = judge([
    {
      key: 'key-of-ada-lovelace',
      target: '/pets?token=key-of-bob-marley',
      fields: [['cookie', 'session=cookie-of-cleo']],
      answer: [{ ...pet, name: 'key-of-ada-lovelace cookie-of-cleo' }, { id: 'key-of-bob-marley' }],
      headers: { 'Set-Cookie': 'session=cookie-of-dora; Path=/' },
    },
  ]);
  expect(JSON.stringify({ ...found, failures: [] })).not.toMatch(/key-of-|cookie-of-/);
});

test('no key of many clients is reported, whether it is echoed or breaks something', () => {
  const messages = Array.from({ length: 300 }, (_, index): Told => {
    const key = `key-of-client-${index}`;
    return { key, answer: [{ ...pet, [index % 2 === 0 ? 'name' : 'status']: key }] };
  });
  expect(JSON.stringify({ ...judge(messages), failures: [] })).not.toContain('key-of-');
});

test('a key in the second of several cookie fields is there', async () => {
  const contract = await loadYaml(`
security: [{ session: [] }]
paths: { /pets: { get: { operationId: listPets, responses: { '200': { description: All. }, '401': { description: No key. } } } } }
components: { securitySchemes: { session: { type: apiKey, in: cookie, name: session } } }
`);
  const judge = new TrafficJudge(contract, { baseUrl, showsCredentials: true });
  const fields = [
    ['cookie', 'theme=dark'],
    ['cookie', 'session=key-of-ada'],
  ] as const;
  judge.take(tell({ key: '', fields }, 0));
  const { verdicts, notes } = judge.sum();
  expect(notes).toEqual([]);
  expect(verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
});
