import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openStateEngine } from '../open/open.ts';
import { serverName, serverProgram, startTestServer } from '../../../test/mock/state/programs.ts';
import { StoredCopy } from '../../../test/mock/state/stored-copy.ts';
import { parseServerAddress } from './connection.ts';
import { openValkeyEngine } from './engine.ts';

/** A proxy between a client and a server that drops connections on request. */
interface LossyRelay {
  readonly port: number;
  /** Called for what a client sends; where it is true, the server gets it and the response is lost. */
  losesResponse: (bytes: Buffer) => boolean;
  lost: number;
  close(): void;
}

async function startLossyRelay(serverPort: number): Promise<LossyRelay> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    let isLost = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        if (!isLost) upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      if (!isLost && relay.losesResponse(bytes)) {
        isLost = true;
        relay.lost += 1;
        upstream.end(bytes);
        return;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (isLost) client.destroy();
      else client.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  const relay: LossyRelay = {
    port: address.port,
    losesResponse: () => false,
    lost: 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return relay;
}

const times = { tryMilliseconds: 5000, giveUpMilliseconds: 60_000 };
const soon = { tryMilliseconds: 200, giveUpMilliseconds: 300 };

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

async function start(...flags: readonly string[]): ReturnType<typeof startTestServer> {
  const server = await startTestServer(...flags);
  ending.push(() => server.stop());
  return server;
}

async function open(url: string, options: Parameters<typeof openValkeyEngine>[1] = { times }) {
  const engine = await openValkeyEngine(url, options);
  ending.push(() => engine.close());
  return engine;
}

async function command(url: string, ...words: string[]): Promise<unknown> {
  const client = createClient({ url: url.replace('valkey:', 'redis:') });
  await client.connect();
  try {
    return await client.sendCommand(words);
  } finally {
    await client.close();
  }
}

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => Reflect.get(Object(error), 'message'),
  );

describe.skipIf(serverProgram === undefined)(`a server (${serverName})`, () => {
  test(
    'that is killed and restarted is awaited, and has lost nothing',
    { timeout: 60_000 },
    async () => {
      const server = await start();
      const engine = await open(server.url);
      const copy = new StoredCopy(engine, 'a');
      await copy.write({ a: '1' });
      await server.kill();
      const write = copy.write({ b: '2' });
      const read = engine.read('a', undefined);
      await server.start();
      expect(await write).toBe(true);
      expect(await read).toMatchObject({ isWhole: true });
      await copy.catchUp();
      expect(copy.texts).toEqual({ a: '1', b: '2' });
    },
  );

  test('that does not come back is reported', async () => {
    const server = await start();
    const engine = await open(server.url, { times: soon });
    await server.kill();
    expect(await messageOf(new StoredCopy(engine, 'a').write({ a: '1' }))).toMatch(
      `${server.url} cannot be reached: `,
    );
  });

  test.each(['is gone', 'hangs'])('that %s is awaited once', { timeout: 30_000 }, async (how) => {
    const server = await start();
    const late = { tryMilliseconds: 1000, giveUpMilliseconds: 1500 };
    const engine = await open(server.url, { times: late });
    await engine.read('a', undefined);
    if (how === 'hangs') server.pause();
    else await server.kill();
    const begin = performance.now();
    // One after the other, as requests of a sandbox come.
    for (let count = 0; count < 4; count += 1)
      expect(await messageOf(engine.read('a', undefined))).toContain('cannot be reached');
    expect(performance.now() - begin).toBeLessThan(4 * 1500);
    if (how === 'hangs') server.resume();
    else await server.start();
    await expect.poll(() => messageOf(engine.read('a', undefined))).toBe('resolved');
  });

  test(
    'that hangs is reported, and used again when it continues',
    { timeout: 60_000 },
    async () => {
      const server = await start();
      const engine = await open(server.url, { times: soon });
      const waiting = await open(server.url);
      server.pause();
      const later = new StoredCopy(waiting, 'b').write({ a: '1' });
      expect(await messageOf(new StoredCopy(engine, 'a').write({ a: '1' }))).toMatch(
        /cannot be reached: .*respond within|cannot be reached: /,
      );
      server.resume();
      expect(await later).toBe(true);
      // What was given up may have been done: then it is a conflict.
      const again = new StoredCopy(engine, 'a');
      await expect
        .poll(() => again.write({ a: '2' }).then(String, String))
        .toMatch(/^(true|false)$/);
      const copy = new StoredCopy(waiting, 'a');
      await copy.catchUp();
      expect(copy.texts['a']).toMatch(/^[12]$/);
    },
  );

  test('whose response is lost applies the command once', { timeout: 60_000 }, async () => {
    const server = await start();
    const relay = await startLossyRelay(server.port);
    ending.push(() => relay.close());
    const engine = await open(`valkey://127.0.0.1:${relay.port}`);
    const other = await open(server.url);
    let sent = 0;
    relay.losesResponse = (bytes) => bytes.includes('"n"') && (sent += 1) % 3 === 0;
    const [mine, others] = [new StoredCopy(engine, 'a'), new StoredCopy(other, 'a')];
    for (let index = 0; index < 30; index += 1) {
      expect(await mine.write({ [`mine ${index}`]: '{"n":1}', last: `mine ${index}` })).toBe(true);
      await others.catchUp();
      expect(others.texts['last']).toBe(`mine ${index}`);
      expect(await others.write({ last: 'other' })).toBe(true);
      await mine.catchUp();
      expect(mine.texts['last']).toBe('other');
    }
    expect(relay.lost).toBeGreaterThan(5);
    expect(Object.keys(mine.texts)).toHaveLength(31);
  });

  test('that forgets its scripts gets them again', async () => {
    const server = await start();
    const engine = await open(server.url);
    const copy = new StoredCopy(engine, 'a');
    await copy.write({ a: '1' });
    await command(server.url, 'SCRIPT', 'FLUSH');
    expect(await copy.write({ a: '2' })).toBe(true);
  });

  test('is closed once pending commands are done', async () => {
    const server = await start();
    const engine = await openValkeyEngine(server.url, { times });
    const copy = new StoredCopy(engine, 'a');
    const write = copy.write({ a: '1' });
    await engine.close();
    expect(await write).toBe(true);
    expect(await messageOf(copy.write({ a: '2' }))).toContain('cannot be reached');
  });

  test('that lost its data is accepted, and the loss is reported once', async () => {
    const server = await start();
    const notices: string[] = [];
    const notify = (notice: string): void => void notices.push(notice);
    const engine = await open(server.url, { times, notify });
    const other = await open(server.url);
    const [copy, same] = [new StoredCopy(engine, 'a'), new StoredCopy(other, 'a')];
    for (const one of ['b', 'c']) await new StoredCopy(engine, one).write({ a: '1' });
    await copy.write({ a: '1' });
    await copy.write({ b: '2' });
    await same.catchUp();
    await command(server.url, 'FLUSHALL');
    // The numbers of versions are the same again, but they are of another history.
    expect(await same.write({ c: '3' })).toBe(false);
    await same.catchUp();
    expect([same.texts, same.version]).toEqual([{}, undefined]);
    for (const value of ['1', '2', '3']) expect(await same.write({ c: value })).toBe(true);
    expect(await copy.write({ d: '4' })).toBe(false);
    await copy.catchUp();
    expect(copy.texts).toEqual({ c: '3' });
    for (const one of ['b', 'c']) await engine.read(one, '1-x');
    expect(notices).toEqual([
      `${server.url} lost its data. Sandboxes start again from what it has now.`,
    ]);
  });

  test('that lost its data in an outage is reported too', async () => {
    const server = await start('--appendonly', 'no');
    const notices: string[] = [];
    const notify = (notice: string): void => void notices.push(notice);
    const engine = await open(server.url, { times: soon, notify });
    await new StoredCopy(engine, 'a').write({ a: '1' });
    await server.kill();
    expect(await messageOf(engine.read('a', undefined))).toContain('cannot be reached');
    await server.start();
    // A copy that may differ from what is stored is read as a whole.
    await expect
      .poll(() => engine.read('a', undefined).then(({ version }) => version, String))
      .toBeUndefined();
    expect(notices.at(-1)).toMatch(/ lost its data\. /);
  });

  test('with another history of a sandbox is accepted without a report', async () => {
    const server = await start();
    const notices: string[] = [];
    const engine = await open(server.url, { times, notify: (notice) => void notices.push(notice) });
    const copy = new StoredCopy(engine, 'a');
    await copy.write({ a: '1' });
    await engine.forget('a');
    await new StoredCopy(engine, 'a').write({ b: '1' });
    await copy.catchUp();
    expect([copy.texts, notices]).toEqual([{ b: '1' }, []]);
  });

  test('keeps a sandbox under one key with a prefix', async () => {
    const server = await start();
    const engine = await open(`${server.url}/3?prefix=ci.7`);
    await new StoredCopy(engine, 'free_a').write({ a: '1' });
    const keys = await command(`${server.url}/3`, 'KEYS', '*');
    expect(Array.isArray(keys) ? keys.map(String).toSorted() : keys).toEqual([
      'ci.7:epoch',
      'ci.7:{free_a}:state',
    ]);
    expect(await (await open(`${server.url}/3`)).list()).toEqual([]);
  });

  test('that is configured to lose data is reported', async () => {
    const notices: string[] = [];
    const notify = (notice: string): void => void notices.push(notice);
    const server = await start(
      '--appendonly',
      'no',
      '--maxmemory',
      '50mb',
      '--maxmemory-policy',
      'allkeys-lru',
    );
    const engine = await openStateEngine(server.url, notify);
    await engine.close();
    expect(notices).toEqual([
      `${server.url} has no append-only file, so a restart loses acknowledged changes. Set appendonly yes.`,
      `${server.url} evicts keys when its memory is full (allkeys-lru). Set maxmemory-policy noeviction.`,
    ]);
    const careful = await start();
    await (await openStateEngine(careful.url, notify)).close();
    expect(notices).toHaveLength(2);
  });

  describe('that refuses', () => {
    let server: Awaited<ReturnType<typeof startTestServer>>;
    beforeAll(async () => {
      server = await startTestServer('--requirepass', 'secret', '--databases', '4');
    });
    afterAll(() => server.stop());

    test.each([
      ['', 'NOAUTH'],
      [':wrong@', 'WRONGPASS'],
      ['somebody:secret@', 'WRONGPASS'],
    ])('the password of "%s"', async (credentials, why) => {
      const message = await messageOf(open(`valkey://${credentials}127.0.0.1:${server.port}`));
      expect(message).toContain(
        `The state cannot be stored at valkey://127.0.0.1:${server.port}: it responded "${why} `,
      );
      expect(message).toContain(
        'Put the right name and password into the address: valkey://name:password@host:6379',
      );
      expect(message).not.toMatch(/secret|wrong/);
    });

    test('a database', async () => {
      const url = `valkey://:secret@127.0.0.1:${server.port}/9`;
      expect(await messageOf(open(url))).toContain(
        '/9: it responded "ERR DB index is out of range".',
      );
    });

    test('scripts', async () => {
      await command(
        `redis://:secret@127.0.0.1:${server.port}`,
        'ACL',
        'SETUSER',
        'few',
        'on',
        '>few',
        '~*',
        '+@all',
        '-@scripting',
      );
      const url = `valkey://few:few@127.0.0.1:${server.port}`;
      expect(await messageOf(open(url))).toContain('it responded "NOPERM');
    });

    test('access to other keys', async () => {
      const admin = `redis://:secret@127.0.0.1:${server.port}`;
      await command(admin, 'ACL', 'SETUSER', 'own', 'on', '>own', '~petstore:*', '+@all');
      const url = `valkey://own:own@127.0.0.1:${server.port}`;
      const engine = await open(url);
      expect(await new StoredCopy(engine, 'a').write({ a: '1' })).toBe(true);
      expect(await engine.list()).toEqual(['a']);
      expect(await messageOf(open(`${url}?prefix=other`))).toContain('it responded "NOPERM');
    });

    test('writes, like a replica', async () => {
      const replica = await start(
        '--replicaof',
        `127.0.0.1 ${server.port}`,
        '--masterauth',
        'secret',
      );
      expect(await messageOf(open(replica.url))).toContain('it responded "READONLY');
    });

    test('writes beyond its memory', { timeout: 60_000 }, async () => {
      const small = await start('--maxmemory', '3mb', '--appendonly', 'no');
      const engine = await open(small.url);
      const text = `"${'x'.repeat(500_000)}"`;
      const copy = new StoredCopy(engine, 'a');
      const fill = async (): Promise<never> => {
        for (let count = 0; ; count += 1) await copy.write({ [`part ${count}`]: text });
      };
      expect(await messageOf(fill())).toContain('it responded "OOM command not allowed');
      const { texts } = copy;
      await copy.catchUp();
      expect(copy.texts).toEqual(texts);
    });

    test('keys of another program', async () => {
      const own = await start();
      const engine = await open(own.url);
      await command(own.url, 'SET', 'petstore:{a}:state', 'mine');
      expect(await messageOf(new StoredCopy(engine, 'a').write({ a: '1' }))).toContain(
        'Another program writes to the same keys',
      );
      await command(own.url, 'HSET', 'petstore:{b}:state', 'version', 'garbage');
      for (const act of [
        engine.read('b', undefined),
        new StoredCopy(engine, 'b').write({ a: '1' }),
      ])
        expect(await messageOf(act)).toContain('Another program writes to the same keys');
    });
  });

  test('of a cluster is chosen by the name of the sandbox', { timeout: 60_000 }, async () => {
    const servers = [
      await start('--cluster-enabled', 'yes'),
      await start('--cluster-enabled', 'yes'),
    ];
    const [one, two] = servers;
    if (one === undefined || two === undefined) throw new Error('no servers');
    await command(one.url, 'CLUSTER', 'ADDSLOTSRANGE', '0', '8191');
    await command(two.url, 'CLUSTER', 'ADDSLOTSRANGE', '8192', '16383');
    await command(two.url, 'CLUSTER', 'SET-CONFIG-EPOCH', '2');
    await command(one.url, 'CLUSTER', 'MEET', '127.0.0.1', `${two.port}`);
    for (const { url } of servers)
      await expect
        .poll(async () => String(await command(url, 'CLUSTER', 'INFO')))
        .toMatch(/cluster_state:ok[^]*cluster_known_nodes:2/);
    expect(
      await messageOf(
        open(one.url).then(async (engine) => {
          for (const name of ['a', 'b', 'c', 'd']) await engine.read(name, undefined);
        }),
      ),
    ).toContain('Add cluster=true to the address');
    const engine = await open(`${one.url}?cluster=true`);
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    await Promise.all(names.map((name) => new StoredCopy(engine, name).write({ a: '1' })));
    expect((await engine.list()).toSorted()).toEqual(names.toSorted());
    for (const { url } of servers) expect(Number(await command(url, 'DBSIZE'))).toBeGreaterThan(9);
  });
});

test('an unreachable server is an error', async () => {
  const message = await messageOf(openStateEngine('redis://127.0.0.1:1', () => undefined));
  expect(message).toBe(
    'redis://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Start the server, or use another one.',
  );
});

test('a silent server is an error', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  ending.push(() => silent.close());
  await once(silent, 'listening');
  const url = `valkey://127.0.0.1:${Reflect.get(Object(silent.address()), 'port')}`;
  // The last try may begin late on a busy machine.
  const message = await messageOf(open(url, { times: soon }));
  expect(message.replace(/\d+ ms/, 'some ms')).toBe(
    `${url} cannot be reached: it did not respond within some ms. Start the server, or use another one.`,
  );
});

test.each([
  ['valkey:', '"valkey:" does not name a server.'],
  ['valkey://', '"valkey://" does not name a server.'],
  ['valkey://:secret@host/pets', '"valkey://host/pets" has a database that is not a number.'],
  ['valkey://host?prefx=a', '"valkey://host?prefx=a" has the unknown parameter "prefx".'],
  [
    'valkey://host?prefix=a{b',
    '"valkey://host?prefix=a{b" has an invalid prefix: use 1 to 64 letters, digits, dots, colons, underscores and hyphens.',
  ],
  [
    'mysql://host',
    '"mysql://host" is not an address for state. Use an address such as file:./petstore-state or valkey://127.0.0.1:6379.',
  ],
  ['state', '"state" is not an address for state.'],
])('"%s" is not an address', async (address, message) => {
  expect(await messageOf(openStateEngine(address, () => undefined))).toContain(message);
});

test('an address has an optional port', () => {
  expect(parseServerAddress('valkeys://ada:s%40@state.example/2?prefix=ci')).toEqual({
    url: 'rediss://ada:s%40@state.example/2',
    shown: 'valkeys://state.example/2',
    prefix: 'ci',
    isCluster: false,
  });
});
