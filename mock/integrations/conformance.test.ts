import { setupServer } from 'msw/node';
import { Dispatcher1Wrapper, type Dispatcher, fetch as undiciFetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createMovableClock, runConformance, type Sender } from '../../conformance/index.ts';
import { type Mock, createMock } from '../index.ts';
import { loadBooks, loadInventory, loadPetstore } from '../../test/mock/contracts.ts';
import { sendByFetch } from '../../test/mock/fetch-sender.ts';
import { createFetch } from './fetch/fetch.ts';
import { mockHandlers } from './msw/msw.ts';
import { createDispatcher } from './undici/undici.ts';

/** Every integration within a process is judged by the suite that judges servers. */
interface OpenIntegration {
  readonly baseUrl: string;
  readonly sender: Sender;
}

const [petstore, books, inventory] = await Promise.all([
  loadPetstore(),
  loadBooks(),
  loadInventory(),
]);

const baseUrl = 'https://api.example.com/staging/v1';

const sendBy = (dispatcher: Dispatcher): Sender =>
  sendByFetch(async (url, init) => await undiciFetch(url, { ...init, dispatcher }));

const intercept = (mock: Mock): Sender => {
  const server = setupServer(...mockHandlers(mock, baseUrl));
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  return sendByFetch((input, init) => fetch(input, init));
};

const integrations: readonly (readonly [string, (mock: Mock) => OpenIntegration])[] = [
  ['fetch', (mock) => ({ baseUrl, sender: sendByFetch(createFetch(mock, { baseUrl })) })],
  [
    'fetch for every address',
    (mock) => ({
      baseUrl: `http://anything.example${mock.contract.basePath}`,
      sender: sendByFetch(mock.fetch),
    }),
  ],
  ['undici', (mock) => ({ baseUrl, sender: sendBy(createDispatcher(mock, baseUrl)) })],
  [
    'undici of an older interface',
    (mock) => ({
      baseUrl,
      sender: sendBy(new Dispatcher1Wrapper(createDispatcher(mock, baseUrl))),
    }),
  ],
  ['MSW', (mock) => ({ baseUrl, sender: intercept(mock) })],
];

test.each(integrations)('%s conforms', async (_name, open) => {
  const clock = createMovableClock();
  const mock = createMock(petstore, { clock, seed: inventory });
  const { baseUrl, sender } = open(mock);
  const report = await runConformance(
    mock.contract,
    { baseUrl, apiKey: 'demo-free' },
    { clock, sender, exhaust: true, plan: 'Free', longestWait: 2 * 86_400_000 },
  );
  expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
  expect(report.outcome).toBe('conforms');
  expect(report.run.requests).toBeGreaterThan(60);
});

test.each(integrations)('%s conforms to a second document', async (_name, open) => {
  const clock = createMovableClock();
  const mock = createMock(books, { clock });
  const { baseUrl, sender } = open(mock);
  const [first] = mock.keys;
  const report = await runConformance(
    mock.contract,
    { baseUrl, apiKey: first?.key },
    {
      clock,
      sender,
      requests: 100,
      ...(first === undefined ? {} : { plan: first.plan }),
      longestWait: 2 * 86_400_000,
    },
  );
  expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
});

test.each(integrations.slice(0, 4))(
  '%s of two mocks in one process share nothing',
  async (_name, open) => {
    const [one, other] = [
      open(createMock(petstore, { seed: {} })),
      open(createMock(petstore, { seed: {} })),
    ];
    const headers = [
      ['authorization', 'Bearer demo-free'],
      ['content-type', 'application/json'],
    ] as const;
    const ask = async (
      { baseUrl, sender }: OpenIntegration,
      method: string,
      body?: string,
    ): Promise<unknown> => {
      const outcome = await sender.send({ url: `${baseUrl}/pets`, method, headers, body });
      return outcome.kind === 'answered'
        ? [
            JSON.parse(outcome.response.body),
            outcome.response.headers.find(([name]) => /remaining$/i.test(name))?.[1],
          ]
        : outcome;
    };
    expect(await ask(one, 'POST', '{"name":"Rex","categoryId":1}')).toEqual([
      expect.objectContaining({ name: 'Rex' }),
      '59',
    ]);
    expect(await ask(other, 'GET')).toEqual([[], '59']);
  },
);
