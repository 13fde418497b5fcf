import { setupServer } from 'msw/node';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { FaultRule } from '../control/declaration/schemas.ts';
import { type Mock, createMock } from '../index.ts';
import { loadInventory, loadPetstore } from '../../test/mock/contracts.ts';
import { createTestClock } from '../../test/mock/test-client.ts';
import { createFetch } from './fetch/fetch.ts';
import { mockHandlers } from './msw/msw.ts';
import { createDispatcher } from './undici/undici.ts';

/** Faults and preferences of the real mock come through every integration within a process. */
interface Received {
  readonly status: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

type Send = (path: string, sent?: Sent) => Promise<Received>;

const [contract, seed] = await Promise.all([loadPetstore(), loadInventory()]);
const origin = 'https://api.example.com';
const headersOf = ({ headers }: Sent): Record<string, string> => ({
  authorization: 'Bearer free_a',
  'content-type': 'application/json',
  ...headers,
});

const byFetch =
  (fetchOf: typeof fetch): Send =>
  async (path, sent = {}) => {
    const { status, body } = await fetchOf(`${origin}/v1${path}`, {
      ...sent,
      headers: headersOf(sent),
    });
    return { status, chunks: body ?? ReadableStream.from<Uint8Array>([]) };
  };

const byMsw = (mock: Mock): Send => {
  const server = setupServer(...mockHandlers(mock, origin));
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  return byFetch((input, init) => fetch(input, init));
};

const byUndici =
  (mock: Mock): Send =>
  async (path, sent = {}) => {
    const { statusCode, body } = await request(`${origin}/v1${path}`, {
      dispatcher: createDispatcher(mock, origin),
      ...sent,
      headers: headersOf(sent),
    });
    return { status: statusCode, chunks: body };
  };

const integrations: readonly (readonly [string, (mock: Mock) => Send])[] = [
  ['mock.fetch', (mock) => byFetch(mock.fetch)],
  ['fetch', (mock) => byFetch(createFetch(mock, { baseUrl: origin }))],
  ['undici', byUndici],
  ['MSW', byMsw],
];

/**
 * A mock with a controlled clock. Its waits last until `pass` advances the clock, which returns how
 * long it would have been.
 */
const open = async (...rules: readonly FaultRule[]) => {
  const waits: { readonly milliseconds: number; readonly end: () => void }[] = [];
  let wake = (): void => undefined;
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((end) => {
      waits.push({ milliseconds, end });
      wake();
    });
  const mock = createMock(contract, { seed, clock: { ...createTestClock(), sleep } });
  const sandbox = (await mock.control()).sandbox('a');
  for (const rule of rules) sandbox.addFault(rule);
  const pass = async (): Promise<number> => {
    if (waits.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    const wait = waits.shift();
    wait?.end();
    return wait?.milliseconds ?? 0;
  };
  return { mock, sandbox, waits, pass };
};

const read = async ({ chunks }: Received, texts: string[] = []): Promise<string> => {
  for await (const chunk of chunks) texts.push(Buffer.from(chunk).toString());
  return texts.join('');
};

/** How an integration's own clients see a connection that breaks. */
const broken = /fetch failed|terminated|aborted|closed|reset/;

const first = '[{"id":1,"name":"Rex","categoryId":1,"status":"available"}]';
const add: Sent = { method: 'POST', body: '{"name":"Rex","categoryId":1}' };

test.each(integrations)(
  '%s: a delayed response waits by the clock of the mock',
  async (_name, openIntegration) => {
    const { mock, pass } = await open({
      operation: 'listPets',
      delay: { from: 60_000, to: 60_000 },
    });
    const asked = openIntegration(mock)('/pets?limit=1');
    expect(await pass()).toBe(60_000);
    expect(await read(await asked)).toBe(first);
  },
);

test.each(integrations)(
  '%s: Prefer: wait adds to a delay, and is in Preference-Applied',
  async (_name, openIntegration) => {
    const { mock, pass, sandbox } = await open({ delay: { from: 500, to: 500 } });
    const asked = openIntegration(mock)('/pets?limit=1', { headers: { prefer: 'wait=2' } });
    expect(await pass()).toBe(2500);
    expect([(await asked).status, sandbox.journal()[0]?.preferred]).toEqual([200, 'wait=2']);
  },
);

test.each(integrations)('%s: a drip sends the body in pieces', async (_name, openIntegration) => {
  const { mock, pass, waits } = await open({ drip: { bytes: 20, milliseconds: 50 } });
  const texts: string[] = [];
  const whole = openIntegration(mock)('/pets?limit=1').then((received) => read(received, texts));
  for (const expected of [0, 20, 40]) {
    await expect
      .poll(() => [waits.length, texts.join('')], { interval: 1 })
      .toEqual([1, first.slice(0, expected)]);
    expect(await pass()).toBe(50);
  }
  expect([await whole, waits.length]).toEqual([first, 0]);
});

test.each(integrations)('%s: a body is truncated', async (_name, openIntegration) => {
  const { mock } = await open({ body: 'truncated', count: 1 });
  const send = openIntegration(mock);
  const texts: string[] = [];
  await expect(send('/pets?limit=1').then((received) => read(received, texts))).rejects.toThrow(
    broken,
  );
  expect([first.startsWith(texts.join('')), texts.join('').length < first.length]).toEqual([
    true,
    true,
  ]);
  expect(await read(await send('/pets?limit=1'))).toBe(first);
});

test('fetch rejects with TypeError if the connection breaks, before the response and within the body', async () => {
  const { mock } = await open({ connection: 'reset', count: 1 }, { body: 'truncated' });
  const list = (): Promise<Response> => mock.fetch(`${origin}/v1/pets`, { headers: headersOf({}) });
  const cause = expect.objectContaining({ code: 'ECONNRESET' });
  await expect(list()).rejects.toEqual(new TypeError('fetch failed', { cause }));
  await expect((await list()).json()).rejects.toEqual(new TypeError('terminated', { cause }));
});

test.each(integrations)(
  '%s: a malformed body is complete, but not JSON',
  async (_name, openIntegration) => {
    const { mock } = await open({ body: 'malformed' });
    const text = await read(await openIntegration(mock)('/pets?limit=1'));
    expect(() => {
      JSON.parse(text);
    }).toThrow('JSON');
  },
);

test.each(integrations)(
  "%s: a reset comes after the work, as the network's error, as often as configured",
  async (name, openIntegration) => {
    const { mock } = await open({ connection: 'reset', count: 2 });
    const send = openIntegration(mock);
    const failure = {
      undici: { code: 'ECONNRESET' },
      MSW: { name: 'TypeError', message: 'fetch failed' },
    }[name] ?? { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } };
    for (const sent of [add, { method: 'HEAD' }])
      await expect(send('/pets', sent)).rejects.toMatchObject(failure);
    expect(JSON.parse(await read(await send('/pets', add)))).toMatchObject({ id: 32 });
  },
);

test.each(integrations)(
  '%s: silence lasts until the caller aborts',
  async (_name, openIntegration) => {
    const { mock } = await open({ connection: 'silence', count: 1 });
    const [stop, reason] = [new AbortController(), new Error('enough')];
    const send = openIntegration(mock);
    const asked = send('/pets', { ...add, signal: stop.signal });
    setImmediate(() => stop.abort(reason));
    await expect(asked).rejects.toBe(reason);
    expect((await send('/pets')).status).toBe(200);
  },
);

test.each(integrations)(
  '%s: aborting during a delay or a drip takes effect at once',
  async (_name, openIntegration) => {
    const { mock, waits, sandbox } = await open(
      { delay: { from: 9, to: 9 }, count: 1 },
      { drip: { bytes: 20, milliseconds: 9 } },
    );
    const send = openIntegration(mock);
    while (sandbox.requests < 2) {
      const [stop, reason] = [new AbortController(), new Error('enough')];
      const asked = send('/pets?limit=1', { signal: stop.signal }).then((received) =>
        read(received),
      );
      asked.catch(() => undefined);
      await expect.poll(() => waits.splice(0).length, { interval: 1 }).toBe(1);
      stop.abort(reason);
      await expect(asked).rejects.toBe(reason);
    }
  },
);

test.each(integrations)(
  '%s: a fault with a status has its headers, and applies only to its operation',
  async (_name, openIntegration) => {
    const { mock, sandbox } = await open({
      operation: 'createPet',
      status: 503,
      retryAfter: 7,
      count: 1,
    });
    const send = openIntegration(mock);
    const statuses = [await send('/pets'), await send('/pets', add), await send('/pets', add)].map(
      ({ status }) => status,
    );
    expect([statuses, sandbox.faults.all[0]?.applied]).toEqual([[200, 503, 201], 1]);
  },
);

test.each(integrations)(
  '%s: faults do not apply to other sandboxes',
  async (_name, openIntegration) => {
    const { mock } = await open({ connection: 'reset' });
    expect(
      (await openIntegration(mock)('/pets', { headers: { authorization: 'Bearer free_b' } }))
        .status,
    ).toBe(200);
  },
);

test('undici: destroying the dispatcher ends silent requests', async () => {
  const { mock } = await open({ connection: 'silence' });
  const dispatcher = createDispatcher(mock, origin);
  const asked = request(`${origin}/v1/pets`, { dispatcher, headers: headersOf({}) });
  await Promise.all([expect(asked).rejects.toThrow('destroyed'), dispatcher.destroy()]);
});
