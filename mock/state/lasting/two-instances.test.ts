import { beforeAll, expect, test } from 'vitest';
import type { Contract, JsonObject } from '../../../contract/index.ts';
import type { SandboxControl } from '../../control/sandbox-control.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { type Mock, createMock } from '../../mock.ts';
import { loadInventory, loadPetstore } from '../../testing/contracts.ts';
import { createTestClock } from '../../testing/test-client.ts';
import type { StateEngine } from '../engine.ts';
import { createMemoryEngine } from '../memory/memory-engine.ts';

let contract: Contract;
let seed: JsonObject;
beforeAll(async () => {
  [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
});

const open = (state: StateEngine): Mock =>
  createMock(contract, { seed, state, clock: createTestClock() });

const send = async (
  mock: Mock,
  method: string,
  path: string,
  key = 'enterprise_alice',
  json?: object,
): Promise<MockResponse> => {
  const request: MockRequest = {
    method,
    target: contract.basePath + path,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    content: json === undefined ? undefined : new TextEncoder().encode(JSON.stringify(json)),
  };
  return (await mock.respond?.(request)) ?? mock.handle(request);
};

const control = async (
  mock: Mock,
  name: string,
  act: (sandbox: SandboxControl) => void,
): Promise<void> => {
  const all = await mock.control();
  await all.within([name], () => act(all.sandbox(name)));
};

const remaining = ({ headers }: MockResponse): string =>
  headers[headers.indexOf('X-RateLimit-Remaining') + 1] ?? '';

test('what one instance stores, another serves', async () => {
  const engine = createMemoryEngine();
  const [one, other] = [open(engine), open(engine)];
  const created = await send(one, 'POST', '/pets', 'enterprise_alice', {
    name: 'Rex',
    categoryId: 1,
  });
  expect(created.status).toBe(201);
  const found = await send(other, 'GET', '/pets/31');
  expect(found).toMatchObject({ status: 200, body: created.body });
  expect(Number(remaining(found))).toBe(Number(remaining(created)) - 1);
  const next = await send(one, 'POST', '/pets', 'enterprise_alice', { name: 'Rex', categoryId: 1 });
  expect(JSON.parse(next.body)).toMatchObject({ id: 32 });
  await control(other, 'alice', (sandbox) => void sandbox.collection('/pets')?.remove('31'));
  expect((await send(one, 'GET', '/pets/31')).status).toBe(404);
  const last = open(engine);
  expect((await send(last, 'GET', '/pets/31')).status).toBe(404);
  expect((await send(last, 'GET', '/pets/32')).status).toBe(200);
});
