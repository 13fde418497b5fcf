import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { createMock } from '../../mock.ts';
import { loadPetstore } from '../../../test/mock/contracts.ts';
import { ContentCollector } from '../in-process.ts';
import { Outbox, maxUnread } from './outbox.ts';
import { type Listening, listen, maxHead } from './server.ts';
import { maxDelayed, maxPipelined } from './slow-response.ts';

let contract: Contract;
const opened: Listening[] = [];
beforeAll(async () => {
  contract = await loadPetstore();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const open = async (): Promise<number> => {
  const listening = await listen(createMock(contract, { seed: {} }), {}, { grace: 10 });
  opened.push(listening);
  return listening.port;
};

/** What comes over a connection until it ends, or until it holds a text. */
const send = async (
  port: number,
  text: string,
  until?: (text: string) => boolean,
): Promise<string> => {
  const socket: Socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => {});
  let received = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (part) => {
      received += String(part);
      if (until?.(received) === true) resolve();
    });
    socket.on('close', () => resolve());
  });
  socket.write(text);
  await done;
  socket.destroy();
  return received;
};

const head = (length: number): string => {
  const start = 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: ';
  return `${start}${'x'.repeat(length - start.length - 4)}\r\n\r\n`;
};

test('a request head of maxHead is read, a longer one refused', async () => {
  const port = await open();
  expect(await send(port, head(maxHead - 100))).toMatch(/^HTTP\/1\.1 401 /);
  expect(await send(port, head(maxHead + 100))).toMatch(/^HTTP\/1\.1 431 /);
});

test('the bytes of bodies being received are limited over all connections', async () => {
  const listening = await listen(createMock(contract), {}, { receiving: 80, grace: 10 });
  opened.push(listening);
  const { port } = listening;
  const post = (sent: number): string =>
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60\r\n\r\n${'x'.repeat(sent)}`;
  const first = connect(port, '127.0.0.1');
  first.write(post(59));
  // What comes by another connection is read after it.
  expect(await send(port, post(30))).toMatch(/^HTTP\/1\.1 413 /);
  first.destroy();
  await once(first, 'close');
  await expect.poll(() => send(port, post(60))).toMatch(/^HTTP\/1\.1 401 /);
});

test('a body is the same in chunks of any size', () => {
  const text = 'abcdefghij'.repeat(2000);
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, 5000, 20_000]) {
    const collector = new ContentCollector(20_000);
    for (let at = 0; at < bytes.length; at += size)
      expect(collector.add(bytes.subarray(at, at + size))).toBe(true);
    const content = collector.content;
    expect(content instanceof Uint8Array && new TextDecoder().decode(content)).toBe(text);
    expect([collector.add(bytes.subarray(0, 1)), collector.content]).toEqual([false, 'too-large']);
  }
});

test('connections beyond the limit are closed', async () => {
  // As many connections as usual would be more than a process may open in some places.
  const listening = await listen(createMock(contract), {}, { connections: 2 });
  opened.push(listening);
  const { port } = listening;
  const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  expect(await send(port, head(200))).toBe('');
  for (const socket of sockets) socket.destroy();
});

describe('unread responses', () => {
  const create = async () => {
    const { ServerResponse, IncomingMessage } = await import('node:http');
    const { Socket: PlainSocket } = await import('node:net');
    const socket = new PlainSocket();
    return { socket, outgoing: new ServerResponse(new IncomingMessage(socket)) };
  };
  const most = maxUnread;

  test('are aborted beyond maxUnread, the oldest first', async () => {
    const outbox = new Outbox();
    const all = await Promise.all([create(), create(), create(), create()]);
    const [first, second, third, fourth] = all;
    const gone = (): readonly boolean[] => all.map(({ socket }) => socket.destroyed);
    outbox.add(first.outgoing, most * 0.4, first.socket);
    outbox.add(second.outgoing, most * 0.5, second.socket);
    expect(gone()).toEqual([false, false, false, false]);
    outbox.add(third.outgoing, most * 0.2, third.socket);
    expect(gone()).toEqual([true, false, false, false]);
    second.outgoing.emit('close');
    outbox.add(fourth.outgoing, most / 2, fourth.socket);
    expect(gone()).toEqual([true, false, false, false]);
    expect(all.map(({ socket }) => socket.listenerCount('close'))).toEqual([1, 0, 1, 1]);
  });

  test('are aborted if very many are queued, however short', async () => {
    const outbox = new Outbox();
    const { socket, outgoing } = await create();
    const { ServerResponse, IncomingMessage } = await import('node:http');
    let count = 0;
    for (; !socket.destroyed && count < 1e6; count += 1)
      outbox.add(new ServerResponse(new IncomingMessage(socket)), 1, socket);
    expect(count).toBe(Math.floor(most / 8193) + 1);
    expect(outgoing.destroyed).toBe(false);
  });

  test('are aborted on one connection too, unless there is only one', async () => {
    const outbox = new Outbox();
    const { socket, outgoing } = await create();
    outbox.add(outgoing, most + 1, socket);
    expect(socket.destroyed).toBe(false);
    outbox.add((await create()).outgoing, 100_000, socket);
    expect(socket.destroyed).toBe(true);
  });

  test('use up the limit until the aborted ones are closed', async () => {
    const outbox = new Outbox();
    const all = await Promise.all([create(), create(), create()]);
    for (const { socket, outgoing } of all) outbox.add(outgoing, most * 0.9, socket);
    expect([all.map(({ socket }) => socket.destroyed), outbox.leaving]).toEqual([
      [true, true, false],
      2,
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outbox.leaving).toBe(0);
  });
});

const late =
  'GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-enterprise\r\nPrefer: wait=1\r\n\r\n';

test('maxPipelined responses may wait on one connection, and one more closes it', async () => {
  const port = await open();
  const most = maxPipelined;
  const isServed = (text: string): boolean => text.split('HTTP/1.1 200 ').length > most;
  const served = await send(port, late.repeat(most), isServed);
  expect(served.split('HTTP/1.1 200 ')).toHaveLength(most + 1);
  expect(await send(port, late.repeat(most + 1))).toBe('');
});

test('responses beyond maxDelayed are sent at once', async () => {
  const { SlowResponses } = await import('./slow-response.ts');
  const waits: number[] = [];
  const slow = new SlowResponses(async (milliseconds) => {
    waits.push(milliseconds);
    await new Promise(() => {});
  });
  const { ServerResponse, IncomingMessage } = await import('node:http');
  const { Socket: PlainSocket } = await import('node:net');
  const response = {
    status: 200,
    headers: [],
    body: '',
    delivery: { delay: 5, end: 'whole', bytes: undefined, drip: undefined },
  } as const;
  const answer = async (): Promise<void> => {
    const request = new IncomingMessage(new PlainSocket());
    await slow.send(response, request, new ServerResponse(request));
  };
  for (let index = 0; index < maxDelayed; index += 1) void answer();
  expect(waits).toHaveLength(maxDelayed);
  await answer();
  expect(waits).toHaveLength(maxDelayed);
});
