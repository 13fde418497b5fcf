import { describe, expect, test } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import type { MockRequest } from '../mock/index.ts';
import { loadYaml } from '../test/conformance/judge-document.ts';
import { loadPetstore } from '../test/mock/contracts.ts';
import { createTestClock } from '../test/mock/test-client.ts';
import { rejudge } from './rejudge.ts';
import { setUpScenario } from './scenario-run.ts';
import { listScenarios } from './scenarios.ts';

/** Judges the requests of a client and replays them. */
const certify = async (
  contract: Contract,
  requestsWith: (key: string) => readonly Partial<MockRequest>[],
) => {
  const clock = createTestClock();
  const [plain] = listScenarios(contract);
  if (plain === undefined) throw new Error('There are no scenarios.');
  const { id, mustSucceed } = plain;
  const run = await setUpScenario(contract, undefined, plain, { clock });
  for (const request of requestsWith(run.key))
    run.handle({ method: 'GET', target: '/', headers: {}, content: undefined, ...request });
  const { openedAt, exchanges } = run;
  const end = { kind: 'exited', code: 0 } as const;
  const scenarios = [{ id, mustSucceed, end, openedAt }];
  const record = { name: 'client', plan: undefined, from: openedAt, to: openedAt, scenarios };
  const { report, departures } = await rejudge(contract, record, exchanges);
  const failed = report.verdicts.flatMap(({ kind, requirement }) =>
    kind === 'failed' ? [requirement.id] : [],
  );
  const departure = departures.find(({ exchange }) => exchange !== undefined);
  return { exchanges, failed, departure };
};

test.each([
  ['/v1', ['/v1/../v1/pets', '/../v1/pets', '/..', '/v1/..', '/v1/..?a', '/v1/..pets', '/v2']],
  ['/a/b', ['/a/b/../b/pets', '/../a/b/pets', '/../..', '/../../..', '/a/../b', '/a', '*']],
  ['', ['/../pets', '/..', '/pets/..', '*']],
])('requests with %s in the base path and dots in the target verify', async (base, targets) => {
  const contract = await loadYaml(`
servers: [{ url: 'http://x${base}' }]
paths:
  /pets:
    get: { responses: { '200': { description: ok } } }
`);
  const { exchanges, departure } = await certify(contract, () =>
    [`${base}/pets`, ...targets].map((target) => ({ target })),
  );
  expect(departure).toBeUndefined();
  const served = exchanges.filter(({ request }) => request.operation !== '');
  expect(served.map(({ request }) => request.target)).toEqual(['/pets']);
});

describe('a document with several security schemes', () => {
  type Headers = MockRequest['headers'];
  /** Lists pets with the security of the document, then shelves with their own. */
  const send = async (
    [security, own]: readonly [string, string?],
    ...headers: readonly ((key: string) => Headers)[]
  ) => {
    const contract = await loadYaml(`
security: ${security}
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
    key: { type: apiKey, in: header, name: X-API-Key }
    tls: { type: mutualTLS }
paths:
  /pets: { get: { responses: { '200': { description: ok } } } }
  /shelves: { get: { security: ${own ?? security}, responses: { '200': { description: ok } } } }
`);
    return await certify(contract, (key) =>
      headers.map((headersOf, at) => ({
        target: at === 0 ? '/pets' : '/shelves',
        headers: headersOf(key),
      })),
    );
  };
  const none = (): Headers => ({});
  const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });
  const basic = (key: string): Headers => ({ authorization: `Basic ${btoa(`${key}:word`)}` });
  const header = (key: string): Headers => ({ 'x-api-key': key });
  const both = (key: string): Headers => ({ ...bearer(key), ...header(key) });
  const either = '[{ bearer: [] }, { basic: [] }, { key: [] }]';

  test.each<[string, readonly [string, string?], readonly ((key: string) => Headers)[]]>([
    ['the last alternative', [either], [header, header]],
    ['Basic credentials', [either], [basic, basic]],
    ['different alternatives', [either], [bearer, header]],
    ['several alternatives', [either], [both, both]],
    ['the scheme of each operation', ['[{ bearer: [] }]', '[{ key: [] }]'], [bearer, header]],
    ['both schemes together', ['[{ bearer: [], key: [] }]'], [both, both]],
    ['no key where none is needed', ['[{ key: [] }]', '[]'], [header, none]],
    ['a key where none is needed', ['[{ bearer: [] }]', '[]'], [bearer, bearer]],
    [
      'a certificate of TLS instead',
      ['[{ key: [] }]', '[{ bearer: [] }, { tls: [] }]'],
      [header, none],
    ],
  ])('accepts a client that sends %s', async (_, security, headers) => {
    const { exchanges, failed, departure } = await send(security, ...headers);
    expect([failed, departure]).toEqual([[], undefined]);
    for (const { outcome } of exchanges)
      expect(outcome).toMatchObject({ response: { status: 200 } });
    const requests = exchanges.map(({ request }) => request);
    expect(JSON.stringify(requests)).not.toMatch(/demo|Basic \w/);
  });

  test.each<[string, readonly [string, string?], (key: string) => Headers, readonly string[]]>([
    ['no key', [either], none, ['auth.key']],
    ['one scheme of two', ['[{ bearer: [], key: [] }]'], bearer, ['auth.key']],
    ['another key', [either], () => header('invalid-one'), ['auth.key']],
    ['Basic credentials of another key', [either], () => basic('invalid-one'), ['auth.key']],
    [
      'the scheme of another operation',
      ['[{ bearer: [] }]', '[{ key: [] }]'],
      header,
      ['auth.key', 'auth.key-elsewhere'],
    ],
    ['an additional scheme', ['[{ bearer: [] }]', '[{ key: [] }]'], both, ['auth.key-elsewhere']],
  ])('fails a client that sends %s', async (_, security, headers, rules) => {
    const { exchanges, failed, departure } = await send(security, headers);
    expect([failed, departure]).toEqual([rules.map((rule) => `client/${rule}`), undefined]);
    expect(JSON.stringify(exchanges[0]?.request)).not.toMatch(/demo|invalid-one|Basic \w/);
  });
});

test('a record with a plan that the document does not have is a difference', async () => {
  const document = await loadPetstore();
  const scenarios = [
    { id: 'banned-key', mustSucceed: false, end: { kind: 'aborted' } as const, openedAt: 0 },
  ];
  const record = { name: 'client', plan: 'Gold', from: 0, to: 0, scenarios };
  expect((await rejudge(document, record, [])).departures).toContainEqual({
    exchange: undefined,
    sentence: expect.stringMatching(/^banned-key cannot be set up: .*Gold/),
  });
});
