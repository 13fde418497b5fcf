import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { contractOf, openMock } from '../../test/mock/control/open-mock.ts';
import { mostDeliveries, mostWaits } from './turn.ts';

/** The first of several that are under way at once to be answered: the one too many. */
const firstOf = async (sent: readonly Promise<Response>[]): Promise<readonly [number, string]> => {
  const { status, text } = await Promise.race(
    sent.map(async (each) => {
      const response = await each;
      return { status: response.status, text: await response.clone().text() };
    }),
  );
  return [status, text];
};

const statusesOf = async (sent: readonly Promise<Response>[]): Promise<readonly number[]> =>
  (await Promise.all(sent)).map(({ status }) => status).toSorted((one, other) => one - other);

test('mostWaits requests wait for journals, and others read them; one that ends makes room', async () => {
  await using mock = await openMock();
  const most = mostWaits;
  const journal = `${mock.origin}/_mock/sandboxes/main/journal`;
  const sent = Array.from({ length: most + 1 }, () => fetch(`${journal}?wait=60000`));
  expect(await firstOf(sent)).toEqual([413, expect.stringContaining('"code":"memory"')]);
  expect((await fetch(journal)).status).toBe(200);
  expect((await fetch(`${journal}?wait=1`)).status).toBe(413);
  await fetch(`${mock.url}/pets`);
  expect(await statusesOf(sent)).toEqual([...Array<number>(most).fill(200), 413]);
  expect((await fetch(`${journal}?wait=1`)).status).toBe(200);
});

test('mostDeliveries webhooks are sent at once; one that ends makes room', async () => {
  const waiting: ServerResponse[] = [];
  const receiver = createServer((_request, response) => void waiting.push(response));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const address = receiver.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const webhooks = { ping: { post: { responses: { 200: { description: 'Taken.' } } } } };
    await using mock = await openMock(await contractOf({ paths: {}, webhooks }));
    const most = mostDeliveries;
    const send = (): Promise<Response> =>
      fetch(`${mock.origin}/_mock/webhooks/ping`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }),
      });
    const sent = Array.from({ length: most + 1 }, send);
    expect(await firstOf(sent)).toEqual([413, expect.stringContaining('"code":"memory"')]);
    while (waiting.length < most) await once(receiver, 'request');
    for (const response of waiting) response.end();
    expect(await statusesOf(sent)).toEqual([...Array<number>(most).fill(200), 413]);
    expect(waiting.length).toBe(most);
    const later = send();
    await once(receiver, 'request');
    waiting.at(-1)?.end();
    expect((await later).status).toBe(200);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});
