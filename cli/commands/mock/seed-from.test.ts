import { gzipSync } from 'node:zlib';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import { loadContract } from '../../../contract/load.ts';
import { petstore } from '../../../test/contract/petstore.ts';
import { type MockOptions, createMock } from '../../../mock/index.ts';
import { packageFile } from '../../package/package-root.ts';
import { type Command, startCommand } from '../../../test/cli/command.ts';
import { startPlainServer } from '../../../test/cli/plain-server.ts';
import { collectItems } from './seed-from.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});
let command: Command | undefined;
afterEach(async () => {
  await command?.stop();
  command = undefined;
});

const shape = (name: string): Promise<Contract> =>
  loadContract({ file: packageFile(`fixtures/documents/shapes/${name}.yaml`) });

interface Sent {
  readonly line: string;
  readonly status?: number;
  readonly sent?: unknown;
  readonly received?: unknown;
}

/** An archive of requests to a base address, in their order. */
const archive = (base: string, all: readonly Sent[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      entries: all.map(({ line, status = 200, sent, received }, index) => {
        const [method, target = ''] = line.split(' ');
        return {
          startedDateTime: new Date(index * 1000).toISOString(),
          time: 1,
          request: {
            method,
            url: target.startsWith('http') ? target : base + target,
            headers: [],
            ...(sent === undefined
              ? {}
              : { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
          },
          response: {
            status,
            headers: [{ name: 'Content-Type', value: 'application/json' }],
            content: {
              size: -1,
              mimeType: 'application/json',
              ...(received === undefined ? {} : { text: JSON.stringify(received) }),
            },
          },
        };
      }),
    },
  });

/** Reads an archive as `--seed-from` does. */
const readArchive = async (contract: Contract, text: string) => {
  const file = join(folder, 'any.har');
  await writeFile(file, text);
  const { from, items } = await collectItems(
    contract,
    { source: file, apiKey: undefined },
    new AbortController().signal,
  );
  const base = from.split(', at ')[1];
  return { base, items, notes: items.notes.map((note) => note.replace(file, 'FILE')) };
};

const collect = async (contract: Contract, base: string, ...all: readonly Sent[]) => {
  const read = await readArchive(contract, archive(base, all));
  const { collections } = read.items;
  return {
    ...read,
    items: Object.fromEntries([...collections].map(([path, items]) => [path, [...items.values()]])),
  };
};

const pet = (id: number, name = 'Tom') => ({ id, name, categoryId: 1 });

describe('items of traffic', () => {
  test('are those of lists, single items and additions; the latest wins, the removed are gone', async () => {
    const collected = await collect(
      petstore,
      'https://api.example/v1',
      { line: 'GET /pets', received: [pet(1), pet(2), pet(3)] },
      { line: 'POST /pets', status: 201, sent: { name: 'Rex' }, received: pet(4, 'Rex') },
      { line: 'POST /pets', status: 400, received: { code: 'a', message: 'b', status: 400 } },
      { line: 'GET /pets/2', received: pet(2, 'Later') },
      { line: 'GET /pets/3', status: 404, received: { code: 'a', message: 'b', status: 404 } },
      { line: 'GET /pets/1', status: 500 },
    );
    expect(collected.items).toEqual({ '/pets': [pet(1), pet(2, 'Later'), pet(4, 'Rex')] });
    expect(collected.base).toBe('https://api.example/v1');
  });

  test('are found below whatever base address most requests have', async () => {
    const collected = await collect(
      petstore,
      'https://api.example/store/api/v7',
      { line: 'GET https://cdn.example/pets/9', received: pet(9) },
      { line: 'GET https://api.example/logo.svg' },
      { line: 'GET /pets', received: [] },
      { line: 'GET /pets/1', received: pet(1) },
    );
    expect(collected).toEqual({
      base: 'https://api.example/store/api/v7',
      notes: ['2 requests of FILE to no operation at https://api.example/store/api/v7: left out.'],
      items: { '/pets': [pet(1)] },
    });
  });

  test('are in nested collections, and changed by what was sent', async () => {
    const collected = await collect(
      await shape('nested'),
      'http://a',
      { line: 'GET /hostels', received: [{ id: 1, name: 'One' }] },
      { line: 'GET /hostels/1/beds', received: [{ id: 5, label: 'a' }, { label: 'no id' }] },
      { line: 'PUT /hostels/1/beds/5', status: 204, sent: { label: 'b' } },
    );
    expect(collected.items).toEqual({
      '/hostels': [{ id: 1, name: 'One' }],
      '/hostels/1/beds': [{ id: 5, label: 'b' }],
    });
    expect(collected.notes).toEqual(['/hostels/1/beds: an item has no identifier.']);
  });

  test('are never read from a cached response, which may be out of date', async () => {
    const recorded = archive('http://a/v1', [
      { line: 'GET /pets', received: [pet(1), pet(2)] },
      { line: 'GET /pets/1', status: 404 },
      { line: 'GET /pets', received: [pet(1), pet(2)] },
    ]);
    const last = recorded.lastIndexOf('"time":1');
    const cached = `${recorded.slice(0, last)}"_fromCache":"disk",${recorded.slice(last)}`;
    const { items } = await readArchive(petstore, cached);
    expect([items.seen, [...(items.collections.get('/pets')?.keys() ?? [])]]).toEqual([2, ['2']]);
  });

  test('keep their integers', async () => {
    const text = archive('http://a/v1', [{ line: 'GET /pets/1', received: 'BIG' }]).replace(
      '"\\"BIG\\""',
      JSON.stringify('{"id":9007199254740993,"name":"x","categoryId":1}'),
    );
    const items = (await readArchive(petstore, text)).items.collections.get('/pets');
    expect([...(items?.keys() ?? [])]).toEqual(['9007199254740993']);
  });
});

describe('a running server', () => {
  const readFrom = async (contract: Contract, baseUrl: string, apiKey: string | undefined) => {
    const { signal } = new AbortController();
    const { from, items } = await collectItems(contract, { source: baseUrl, apiKey }, signal);
    const requests = Number(/, by (\d+) requests?$/.exec(from)?.[1]);
    return { requests, notes: items.notes, collections: items.collections };
  };
  const read = async (contract: Contract, options: MockOptions = {}, more = 0) => {
    const mock = createMock(contract, options);
    const sandbox = (await mock.control()).sandbox('main');
    const [first] = sandbox.collections;
    for (let count = 0; count < more; count += 1) first?.add(first.sample());
    const listening = await mock.listen();
    const key = mock.keys[1]?.key ?? mock.keys[0]?.key;
    try {
      const reading = await readFrom(contract, listening.url, key);
      return { ...reading, counts: sandbox.itemCounts };
    } finally {
      await listening.close();
    }
  };

  test('is read list by list', async () => {
    const seed = { '/pets': Array.from({ length: 30 }, (_, id) => pet(id + 1)) };
    const { collections, requests, notes } = await read(petstore, { seed });
    expect([collections.get('/pets')?.size, requests, notes]).toEqual([30, 1, []]);
  });

  test('whose list is full and has no further pages may have more items', async () => {
    const seed = { '/pets': Array.from({ length: 120 }, (_, id) => pet(id + 1)) };
    const { collections, notes } = await read(petstore, { seed });
    expect(collections.get('/pets')?.size).toBe(100);
    expect(notes).toEqual([
      'GET /pets returned 100 items, the maximum, and has no further pages: there may be more.',
    ]);
  });

  test.for(['envelope-cursor', 'envelope-page', 'nested'])(
    'is read page by page, and within items: %s',
    async (name) => {
      const { collections, requests, counts } = await read(await shape(name), {}, 230);
      const seen = Object.fromEntries([...collections].map(([path, { size }]) => [path, size]));
      // With this many items, not all are read.
      const [first = ''] = Object.keys(counts);
      expect([seen[first], requests > 2]).toEqual([counts[first], true]);
      for (const path of Object.keys(seen))
        expect([path, seen[path]]).toEqual([path, counts[path]]);
    },
  );

  test('that refuses is reported', async () => {
    const mock = createMock(petstore);
    const listening = await mock.listen();
    const reading = await readFrom(petstore, listening.url, 'invalid-key');
    await listening.close();
    expect(reading.collections.size).toBe(0);
    expect(reading.notes).toEqual(['GET /pets returned 401 and is left out.']);
    await expect(readFrom(petstore, listening.url, 'k')).rejects.toThrow(
      /sent no readable response to GET \/pets/,
    );
  });

  test.for([
    ['a stream without end', [], /its body went on after [\d,]+ bytes/],
    ['a bomb', [['content-encoding', 'gzip']], /more than [\d,]+ bytes, unpacked from/],
    ['another coding', [['content-encoding', 'br']], /does not match its Content-Encoding br/],
  ] as const)(
    'that sends %s is abandoned, and the size is reported',
    async ([, fields, output]) => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32));
      const baseUrl = await startPlainServer((_request, response) => {
        response.writeHead(200, ['content-type', 'application/json', ...fields.flat()]);
        const goOn = (): void => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
          response.once('drain', goOn);
        };
        if (fields.length > 0) response.end(bomb);
        else goOn();
      });
      await expect(readFrom(petstore, baseUrl, 'k')).rejects.toThrow(output);
    },
  );

  test('whose limit is exhausted is waited for at most a minute', async () => {
    const mock = createMock(petstore, { limits: { free: { day: 1 } } });
    const listening = await mock.listen();
    await fetch(`${listening.url}/pets`, { headers: { authorization: 'Bearer demo-free' } });
    const reading = await readFrom(petstore, listening.url, 'demo-free');
    await listening.close();
    expect(reading.notes).toEqual([
      expect.stringMatching(
        /^Stopped reading: rate limit: the target asks for a wait of \d+ seconds\.$/,
      ),
    ]);
  });
});

describe('petstore mock --seed-from', () => {
  const start = async (source: string, ...argv: readonly string[]): Promise<string> => {
    command = startCommand('mock', '--port', '0', '--no-watch', '--seed-from', source, ...argv);
    return (await command.printed(/is mocked at (\S+)/))[1] ?? '';
  };
  const get = async (url: string, key = 'demo-free') =>
    await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).text();

  test('starts every sandbox with the items of an archive, and reports what does not fit', async () => {
    const file = join(folder, 'traffic.har');
    const all = [
      { line: 'GET /pets', received: [pet(1), { ...pet(2), status: 'lost' }] },
      { line: 'GET /pets/x y' },
    ];
    await writeFile(file, archive('https://api.example/v1', all));
    const url = await start(file);
    expect([await get(`${url}/pets`), await get(`${url}/pets`, 'free_a')]).toEqual(
      Array.from({ length: 2 }, () => JSON.stringify([pet(1)])),
    );
    expect(command?.stderr()).toContain(
      '/pets/2 is left out: The item breaks the contract: status',
    );
  });

  test('starts with the items of a report', async () => {
    const file = join(folder, 'report.json');
    const mock = createMock(petstore, { seed: { '/pets': [pet(7)] } });
    const listening = await mock.listen();
    const report = ['--report', folder, '--read-only', '--quiet', '--api-key', 'demo-free'];
    await startCommand('conform', listening.url, ...report).ended;
    await listening.close();
    expect(await get(`${await start(file)}/pets`)).toBe(JSON.stringify([pet(7)]));
    expect(command?.stderr()).toContain(`items from ${file}: 1 of /pets.`);
  });

  test.for(['memory', 'folder'])(
    'fills collections that are only inferred, also after a reset: state in a %s',
    async (kept) => {
      const state = kept === 'folder' ? ['--state', `file:${join(folder, 'state')}`] : [];
      const document = packageFile('fixtures/documents/shapes/nested.yaml');
      const file = join(folder, 'nested.har');
      const all = [
        { line: 'GET /hostels', received: [{ id: 3, name: 'Three' }] },
        { line: 'GET /hostels/3/beds', received: [{ id: 5, label: 'a' }] },
      ];
      await writeFile(file, archive('http://a', all));
      const url = await start(file, '--contract', document, ...state);
      const lists = async () => [
        await get(`${url}/hostels`, 'alice'),
        await get(`${url}/hostels/3/beds`, 'alice'),
      ];
      const first = await lists();
      expect(first.map((text) => JSON.parse(text))).toMatchObject([
        [{ id: 3, name: 'Three' }],
        [{ id: 5, label: 'a' }],
      ]);
      const headers = { 'content-type': 'application/json' };
      const body = '{"name":"Four"}';
      await fetch(`${url}/hostels`, { method: 'POST', headers, body });
      await fetch(`${new URL(url).origin}/_mock/sandboxes/main/state`, { method: 'DELETE' });
      expect(await lists()).toEqual(first);
    },
  );

  test('reads a server, and prints no key', async () => {
    const mock = createMock(petstore, { seed: { '/pets': [pet(8)] } });
    const listening = await mock.listen();
    const url = await start(listening.url, '--api-key', 'business_secret-key');
    await listening.close();
    expect(await get(`${url}/pets`)).toBe(JSON.stringify([pet(8)]));
    expect(command?.stderr()).toBe(
      `petstore mock: items from ${listening.url}, by 1 request: 1 of /pets.\n`,
    );
    expect(command?.stdout()).not.toContain('secret-key');
  });

  test.for<readonly [string, string]>([
    ['{', 'is not valid JSON'],
    ['{"log":{}}', 'is not an HTTP Archive or a report.json'],
    ['[]', 'is not an HTTP Archive or a report.json'],
    [archive('http://a', [{ line: 'GET /toys' }]), 'has no request to an operation'],
  ])('%s is refused', async ([text, reason]) => {
    const file = join(folder, 'wrong.har');
    await writeFile(file, text);
    command = startCommand('mock', '--port', '0', '--no-watch', '--seed-from', file);
    expect(await command.ended).toBe(2);
    expect(command.stderr()).toContain(reason);
  });

  test('cannot be combined with another seed', async () => {
    command = startCommand('mock', '--port', '0', '--seed-from', 'a', '--seed', 'none');
    expect(await command.ended).toBe(2);
    expect(command.stderr()).toContain('Use either --seed or --seed-from, not both.');
  });
});
