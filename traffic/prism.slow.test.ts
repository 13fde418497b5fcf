import { afterAll, beforeAll, expect, test } from 'vitest';
import { petstore } from '../test/contract/petstore.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { loadPrism, type PrismJudge } from '../test/mock/prism.ts';
import { type Mutant, mutants } from '../selftest/index.ts';
import { listen } from '../selftest/service/listener.ts';
import { createService, type Respond } from '../selftest/service/service.ts';
import type { TrafficSum } from './judge.ts';
import { startProxy } from './proxy.ts';

/** The same requests go to the same mutants twice: what Prism says of the responses, the proxy finds or reports. */
const key = { authorization: 'Bearer service-business' };
const json = { ...key, 'content-type': 'application/json' };
const requests = [
  { method: 'GET', target: '/pets', headers: key, content: undefined },
  { method: 'GET', target: '/pets?limit=2&status=sold', headers: key, content: undefined },
  { method: 'GET', target: '/pets?limit=1000', headers: key, content: undefined },
  { method: 'GET', target: '/pets/1', headers: key, content: undefined },
  { method: 'GET', target: '/pets/999999', headers: key, content: undefined },
  { method: 'GET', target: '/pets', headers: {}, content: undefined },
  { method: 'POST', target: '/pets', headers: json, content: '{"name":"Rex","categoryId":1}' },
  { method: 'POST', target: '/pets', headers: json, content: '{"name":7}' },
] as const;

/** Of the mutants of what Prism looks at, every some: bodies, headers, media types, statuses. */
const chosen = mutants
  .filter(
    ({ breaks: [first], hangs }) =>
      hangs === undefined && /\/(response|status|request)\.|\/errors\./.test(first),
  )
  .filter((_mutant, index) => index % 8 === 0);

/** Messages of Prism that are not findings, each with what is reported here instead. */
const named: readonly (readonly [says: RegExp, messages: RegExp])[] = [
  // A document need not list every status below 500 (OpenAPI 3.1, Responses Object).
  [/^response: Unable to match the returned status code/, /which it does not document$/],
];

let current: Respond;
let prism: PrismJudge;
let close: () => Promise<void>;
let baseUrl: string;

beforeAll(async () => {
  const front = await listen((request) => current(request));
  ({ baseUrl, close } = front);
  prism = await loadPrism(packageFile('openapi.yaml'));
});
afterAll(async () => {
  await close();
});

async function askPrism(mutant: Mutant): Promise<readonly string[]> {
  current = createService(mutant.behaviour());
  const remarks: string[] = [];
  for (const request of requests) {
    const response = await send(baseUrl, request);
    if (response !== undefined) remarks.push(...(prism({ ...request, ...response }) ?? []));
  }
  return remarks;
}

/** Undefined if the connection breaks. */
async function send(to: string, { method, target, headers, content }: (typeof requests)[number]) {
  try {
    const response = await fetch(to + target, {
      method,
      headers,
      body: content ?? null,
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  } catch {
    return undefined;
  }
}

async function askOurs(mutant: Mutant): Promise<TrafficSum> {
  current = createService(mutant.behaviour());
  const proxy = await startProxy(petstore, { target: baseUrl });
  for (const request of requests) await send(proxy.baseUrl, request);
  await proxy.close(2000);
  return proxy.sum();
}

test.each(chosen)(
  'the suite finds what Prism reports for $id',
  async (mutant) => {
    const remarks = await askPrism(mutant);
    const { verdicts, notes } = await askOurs(mutant);
    const failed = verdicts.filter(({ kind }) => kind === 'failed');
    for (const remark of remarks) {
      const [, messages] = named.find(([says]) => says.test(remark)) ?? [];
      const isNamed =
        messages !== undefined && notes.some(({ sentence }) => messages.test(sentence));
      expect([remark, isNamed || failed.length > 0]).toEqual([remark, true]);
    }
  },
  60_000,
);

test('what Prism says about requests is reported, and fails nobody', async () => {
  const plain: Mutant = {
    id: 'plain',
    breaks: ['-'],
    behaviour: () => ({}),
  };
  const { verdicts, notes } = await askOurs(plain);
  expect(verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
  expect(notes.map(({ sentence }) => sentence)).toEqual(
    expect.arrayContaining([
      'listPets: the key is missing',
      'listPets: the query parameter limit must be at most 100',
      'createPet: /name of the body must be a string, not 7',
    ]),
  );
});
