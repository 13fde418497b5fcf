import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StateEngine, StoredSandbox } from './engine.ts';
import { openFileEngine } from './file/open.ts';
import { createMemoryEngine } from './memory/memory-engine.ts';
import { openValkeyEngine } from './valkey/open.ts';
import {
  type TestServer,
  serverName,
  serverProgram,
  startTestServer,
} from '../../test/mock/state/redis-server.ts';

/** An engine as the tests use it: clients of one place, several where it takes several. */
interface EngineCase {
  readonly name: string;
  readonly isMissing?: boolean;
  readonly start: () => Promise<{
    readonly clients: readonly StateEngine[];
    stop(): Promise<void>;
  }>;
}

const fileCase: EngineCase = {
  name: 'file:',
  async start() {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-state-'));
    const engine = await openFileEngine(folder, { slackBytes: 2000 });
    return {
      clients: [engine, engine, engine],
      async stop() {
        await engine.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

const memoryCase: EngineCase = {
  name: 'in memory',
  async start() {
    const engine = createMemoryEngine();
    return { clients: [engine, engine, engine], stop: () => engine.close() };
  },
};

/** Two instances, one of which has two requests under way. */
async function startShared(server: TestServer, address: string) {
  const [one, two] = [await openValkeyEngine(address), await openValkeyEngine(address)];
  return {
    clients: [one, two, two],
    async stop() {
      await Promise.all([one.close(), two.close()]);
      await server.stop();
    },
  };
}

const serverCase: EngineCase = {
  name: `valkey: (${serverName})`,
  isMissing: serverProgram === undefined,
  async start() {
    const server = await startTestServer('--appendfsync', 'no');
    return await startShared(server, server.url);
  },
};

const whole = (
  version: number,
  snapshot: string | undefined,
  ...changes: readonly string[]
): StoredSandbox => ({ kind: 'whole', version, snapshot, changes });

/** A copy of a sandbox: all its changes in their order. A snapshot is the JSON of them. */
class Copy {
  version = 0;
  texts: readonly string[] = [];
  readonly #engine: StateEngine;
  readonly #sandbox: string;

  constructor(engine: StateEngine, sandbox: string) {
    this.#engine = engine;
    this.#sandbox = sandbox;
  }

  take(missed: Awaited<ReturnType<StateEngine['read']>>): void {
    const former: readonly string[] =
      missed.kind === 'changes' ? this.texts : JSON.parse(missed.snapshot ?? '[]');
    this.texts = [...former, ...missed.changes];
    this.version = missed.version;
  }

  async catchUp(): Promise<void> {
    this.take(await this.#engine.read(this.#sandbox, this.version));
  }

  async append(changes: readonly string[]): Promise<void> {
    for (;;) {
      const appended = await this.#engine.append(this.#sandbox, this.version, changes);
      if (appended.kind === 'appended') {
        this.texts = [...this.texts, ...changes];
        this.version = appended.version;
        return;
      }
      this.take(appended.missed);
    }
  }

  async compact(): Promise<void> {
    await this.#engine.compact(this.#sandbox, this.version, JSON.stringify(this.texts));
  }
}

describe.each([memoryCase, fileCase, serverCase].filter((one) => one.isMissing !== true))(
  'an engine, $name',
  ({ name: engineName, start }) => {
    let started: Awaited<ReturnType<EngineCase['start']>>;
    let engine: StateEngine;
    let other: StateEngine;
    beforeAll(async () => {
      started = await start();
      const [one, two] = started.clients;
      if (one === undefined || two === undefined) throw new Error('no clients');
      [engine, other] = [one, two];
    });
    afterAll(() => started.stop());

    let count = 0;
    /** A sandbox that no other test has. */
    const fresh = (): string => `s${(count += 1)}`;

    test('knows nothing of a sandbox that is new', async () => {
      const name = fresh();
      expect(await engine.load(name)).toEqual(whole(0, undefined));
      expect(await engine.read(name, 0)).toEqual({ kind: 'changes', version: 0, changes: [] });
      expect(await engine.list()).not.toContain(name);
      await engine.forget(name);
      expect(await engine.load(name)).toEqual(whole(0, undefined));
    });

    test('keeps changes in their order, for others too', async () => {
      const name = fresh();
      expect(await engine.append(name, 0, ['1', '2'])).toEqual({ kind: 'appended', version: 2 });
      expect(await other.append(name, 2, ['3'])).toEqual({ kind: 'appended', version: 3 });
      expect(await engine.load(name)).toEqual(whole(3, undefined, '1', '2', '3'));
      const after = { kind: 'changes', version: 3, changes: ['2', '3'] };
      expect(await engine.read(name, 1)).toEqual(after);
      expect(await engine.list()).toContain(name);
    });

    test('appends nothing of what does not follow, and shows what came before', async () => {
      const name = fresh();
      await engine.append(name, 0, ['1', '2']);
      const missed = { kind: 'changes', version: 2, changes: ['1', '2'] };
      expect(await other.append(name, 0, ['x'])).toEqual({ kind: 'conflict', missed });
      expect(await other.append(name, 5, ['x'])).toEqual({
        kind: 'conflict',
        missed: whole(2, undefined, '1', '2'),
      });
      expect(await engine.load(name)).toEqual(whole(2, undefined, '1', '2'));
    });

    test('appends nothing where there is nothing to append', async () => {
      const name = fresh();
      expect(await engine.append(name, 0, [])).toEqual({ kind: 'appended', version: 0 });
      expect(await engine.list()).not.toContain(name);
      await engine.append(name, 0, ['1']);
      expect(await engine.append(name, 0, [])).toMatchObject({ kind: 'conflict' });
    });

    test('lets one of many win', async () => {
      const name = fresh();
      const tries = started.clients.flatMap((client, index) =>
        [0, 1, 2, 3].map((each) => client.append(name, 0, [`"${index} ${each}"`])),
      );
      const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'appended')).toHaveLength(1);
      expect((await engine.load(name)).version).toBe(1);
    });

    test('puts a snapshot in the place of changes', async () => {
      const name = fresh();
      await engine.append(name, 0, ['1', '2', '3']);
      await engine.compact(name, 2, '"to 2"');
      expect(await other.load(name)).toEqual(whole(3, '"to 2"', '3'));
      expect(await other.read(name, 2)).toEqual({ kind: 'changes', version: 3, changes: ['3'] });
      expect(await other.read(name, 1)).toEqual(whole(3, '"to 2"', '3'));
      expect(await other.append(name, 1, ['x'])).toEqual({
        kind: 'conflict',
        missed: whole(3, '"to 2"', '3'),
      });
    });

    test('takes no snapshot that comes late, twice or too early', async () => {
      const name = fresh();
      await engine.append(name, 0, ['1', '2', '3']);
      await Promise.all([engine.compact(name, 3, '"to 3"'), engine.compact(name, 3, '"to 3"')]);
      await Promise.all([engine.compact(name, 2, '"to 2"'), other.compact(name, 4, '"to 4"')]);
      expect(await engine.load(name)).toEqual(whole(3, '"to 3"'));
      await Promise.all([
        engine.append(name, 3, ['4', '5']),
        engine.compact(name, 5, '"to 5"'),
        engine.compact(name, 4, '"to 4"'),
      ]);
      const { snapshot = '', changes } = await engine.load(name);
      expect([
        ['"to 5"', 0],
        ['"to 4"', 1],
        ['"to 3"', 2],
      ]).toContainEqual([snapshot, changes.length]);
    });

    test('forgets a sandbox, and takes nothing that follows what it was', async () => {
      const name = fresh();
      await engine.append(name, 0, ['1', '2']);
      await engine.compact(name, 1, '"to 1"');
      await other.forget(name);
      expect(await engine.list()).not.toContain(name);
      const { version, ...rest } = await engine.load(name);
      expect(version).toBeGreaterThan(2);
      expect(rest).toEqual({ kind: 'whole', snapshot: undefined, changes: [] });
      await engine.compact(name, 2, '"to 2"');
      expect(await engine.append(name, 2, ['x'])).toEqual({
        kind: 'conflict',
        missed: whole(version, undefined),
      });
      expect(await engine.append(name, 0, ['x'])).toMatchObject({ kind: 'conflict' });
      await engine.append(name, version, ['"again"']);
      expect(await other.load(name)).toEqual(whole(version + 1, undefined, '"again"'));
      expect(await engine.list()).toContain(name);
      await engine.forget(name);
      expect((await engine.load(name)).version).toBeGreaterThan(version + 1);
    });

    test('keeps texts and names as they are', async () => {
      const texts = [
        '{"id":9223372036854775807,"n":1.0}',
        '"\\n\\u0000\\ud800 \u{2028}ü𝄞\\u007f"',
        `"${'x'.repeat(1_500_000)}"`,
        '  ',
        '{"bytes":1,"crc":"00000000"}',
      ];
      const names = ['Rex', 'rex', '.rex', 'con', 'a-._Z', 'x'.repeat(64), 'state', '__proto__'];
      for (const name of names) await engine.append(name, 0, texts);
      await engine.compact('Rex', 3, texts[2] ?? '');
      expect((await other.load('rex')).changes).toEqual(texts);
      expect(await other.load('Rex')).toEqual(whole(5, texts[2], ...texts.slice(3)));
      expect(await other.list()).toEqual(expect.arrayContaining(names));
    });

    test('takes a great many changes at once', async () => {
      const name = fresh();
      const changes = Array.from({ length: 20_000 }, (_, index) => `${index}`);
      await engine.append(name, 0, changes);
      expect((await other.load(name)).changes).toEqual(changes);
    });

    type Act = 'append' | 'appendMore' | 'catchUp' | 'compact';
    const act = fc.constantFrom<Act>('append', 'append', 'appendMore', 'catchUp', 'compact');

    test(
      'keeps each change of many clients once, and in one order',
      { timeout: 120_000 },
      async () => {
        const property = fc.asyncProperty(
          fc.array(fc.array(act, { maxLength: 12 }), { minLength: 3, maxLength: 3 }),
          async (acts) => {
            const name = fresh();
            const copies = started.clients.map((client) => new Copy(client, name));
            const acknowledged: string[][] = await Promise.all(
              copies.map(async (copy, index) => {
                const mine: string[] = [];
                for (const [number, kind] of (acts[index] ?? []).entries()) {
                  const count = kind === 'append' ? 1 : kind === 'appendMore' ? 3 : 0;
                  const changes = Array.from(
                    { length: count },
                    (_, each) => `"${index}.${number}.${each}"`,
                  );
                  if (count > 0) await copy.append(changes);
                  if (kind === 'catchUp') await copy.catchUp();
                  if (kind === 'compact') await copy.compact();
                  mine.push(...changes);
                }
                return mine;
              }),
            );
            for (const copy of copies) await copy.catchUp();
            const fresher = new Copy(engine, name);
            fresher.take(await engine.load(name));
            for (const copy of copies) expect(copy.texts).toEqual(fresher.texts);
            expect(fresher.version).toBe(acknowledged.flat().length);
            for (const [index, mine] of acknowledged.entries())
              expect(fresher.texts.filter((text) => text.startsWith(`"${index}.`))).toEqual(mine);
          },
        );
        await fc.assert(property, { numRuns: 60, seed: 13 });
      },
    );

    test.skipIf(engineName === memoryCase.name)('closes, and then takes nothing', async () => {
      const own = await start();
      const [client] = own.clients;
      await own.stop();
      await expect(client?.append('a', 0, ['1'])).rejects.toMatchObject({ code: 'state' });
    });
  },
);
