import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StateEngine, nextVersion } from './engine.ts';
import { openFileEngine } from './file-engine.ts';
import { createMemoryEngine } from '../../test/mock/state/memory-engine.ts';
import { openValkeyEngine } from './valkey/engine.ts';
import { serverName, serverProgram, startTestServer } from '../../test/mock/state/programs.ts';
import { StoredCopy } from '../../test/mock/state/stored-copy.ts';

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
    const engine = await openFileEngine(folder);
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
const serverCase: EngineCase = {
  name: `valkey: (${serverName})`,
  isMissing: serverProgram === undefined,
  async start() {
    const server = await startTestServer('--appendfsync', 'no');
    const [one, two] = [await openValkeyEngine(server.url), await openValkeyEngine(server.url)];
    return {
      clients: [one, two, two],
      async stop() {
        await Promise.all([one.close(), two.close()]);
        await server.stop();
      },
    };
  },
};

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

    test('has no parts of a new sandbox', async () => {
      const name = fresh();
      const nothing = { version: undefined, isWhole: true, parts: new Map() };
      expect(await engine.read(name, undefined)).toEqual(nothing);
      expect(await engine.read(name, '7-x')).toEqual(nothing);
      expect(await engine.list()).not.toContain(name);
      await engine.forget(name);
      expect(await engine.read(name, undefined)).toEqual(nothing);
    });

    test('stores parts, replaces and removes them, for others too', async () => {
      const [one, two] = [new StoredCopy(engine, fresh()), new StoredCopy(other, `s${count}`)];
      expect(await one.write({ a: '1', b: '2' })).toBe(true);
      await two.catchUp();
      expect(two.texts).toEqual({ a: '1', b: '2' });
      expect(await two.write({ a: '3', b: undefined, c: '4' })).toBe(true);
      await one.catchUp();
      expect([one.texts, one.version]).toEqual([{ a: '3', c: '4' }, two.version]);
      expect(await engine.list()).toContain(one.sandbox);
    });

    test('never overwrites concurrent changes', async () => {
      const [one, two] = [new StoredCopy(engine, fresh()), new StoredCopy(other, `s${count}`)];
      await one.write({ a: '1' });
      expect(await two.write({ a: '2', b: '2' })).toBe(false);
      await two.catchUp();
      expect([two.texts, two.version]).toEqual([{ a: '1' }, one.version]);
    });

    test('applies a repeated write once', async () => {
      const one = new StoredCopy(engine, fresh());
      const write = {
        sandbox: one.sandbox,
        after: undefined,
        next: nextVersion(undefined),
        parts: new Map([['a', '1']]),
      };
      expect([await engine.write(write), await engine.write(write)]).toEqual([true, true]);
      await one.catchUp();
      expect(await one.write({ a: '2' })).toBe(true);
      // A file has one client, which waits for each write: it knows the last one only.
      expect(await engine.write(write)).toBe(engineName !== fileCase.name);
      await one.catchUp();
      expect(one.texts).toEqual({ a: '2' });
    });

    test('lets exactly one of many concurrent writes win', async () => {
      const name = fresh();
      const tries = started.clients.flatMap((client) =>
        [0, 1, 2, 3].map(() => new StoredCopy(client, name).write({ a: '1' })),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });

    test('sends the complete state to a reader that is far behind', async () => {
      const [one, two] = [new StoredCopy(engine, fresh()), new StoredCopy(other, `s${count}`)];
      await one.write({ a: '0', b: '0' });
      await two.catchUp();
      for (let step = 1; step <= 150; step += 1)
        await one.write({ a: `${step}`, [`c${step}`]: '1', [`c${step - 1}`]: undefined });
      await two.catchUp();
      expect(two.texts).toEqual({ a: '150', b: '0', c150: '1' });
    });

    test('removes a sandbox, and rejects writes based on its old state', async () => {
      const [one, two] = [new StoredCopy(engine, fresh()), new StoredCopy(other, `s${count}`)];
      await one.write({ a: '1' });
      await two.catchUp();
      await engine.forget(one.sandbox);
      expect(await engine.list()).not.toContain(one.sandbox);
      expect(await two.write({ a: '2' })).toBe(false);
      await two.catchUp();
      expect([two.texts, two.version]).toEqual([{}, undefined]);
      expect(await two.write({ b: '1' })).toBe(true);
      expect(await one.write({ a: '3' })).toBe(false);
      await one.catchUp();
      expect(one.texts).toEqual({ b: '1' });
    });

    test('stores texts and names unchanged', async () => {
      const texts = {
        '["item","/pets",9223372036854775807]': '{"id":9223372036854775807,"n":1.0}',
        '["a","\\n\\u0000\\ud800 \u{2028}ü𝄞\\u007f"]': '"\\n\\u0000\\ud800 \u{2028}ü𝄞\\u007f"',
        long: `"${'x'.repeat(1_500_000)}"`,
        __proto__: '  ',
        empty: '',
      };
      const names = ['Rex', 'rex', '.rex', 'con', 'a-._Z', 'x'.repeat(64), 'state', '__proto__'];
      for (const name of names) await new StoredCopy(engine, name).write(texts);
      const copy = new StoredCopy(other, 'rex');
      await copy.catchUp();
      expect(copy.texts).toEqual(texts);
      expect(await other.list()).toEqual(expect.arrayContaining(names));
    });

    test('takes a great many parts at once', async () => {
      const [one, two] = [new StoredCopy(engine, fresh()), new StoredCopy(other, `s${count}`)];
      await two.write({ first: '1' });
      await one.catchUp();
      const entries = Array.from({ length: 20_000 }, (_, index) => [`p${index}`, `${index}`]);
      const parts: Record<string, string> = Object.fromEntries(entries);
      await one.write(parts);
      await two.catchUp();
      expect(two.texts).toEqual({ first: '1', ...parts });
    });

    type Act = 'write' | 'writeMore' | 'catchUp';
    const act = fc.constantFrom<Act>('write', 'write', 'writeMore', 'catchUp');

    test('keeps each change of many clients, in a single order', { timeout: 120_000 }, async () => {
      const property = fc.asyncProperty(
        fc.array(fc.array(act, { maxLength: 12 }), { minLength: 3, maxLength: 3 }),
        async (acts) => {
          const name = fresh();
          const copies = started.clients.map((client) => new StoredCopy(client, name));
          const written = await Promise.all(
            copies.map(async (copy, index) => {
              const mine: string[] = [];
              for (const [number, kind] of (acts[index] ?? []).entries()) {
                const many = kind === 'write' ? 1 : kind === 'writeMore' ? 3 : 0;
                const names = Array.from(
                  { length: many },
                  (_, each) => `${index}.${number}.${each}`,
                );
                // The count shows that no two wrote after the same version.
                const parts = (): Record<string, string> => ({
                  ...Object.fromEntries(names.map((one) => [one, '1'])),
                  count: `${Number(copy.texts['count'] ?? 0) + 1}`,
                });
                if (kind === 'catchUp') await copy.catchUp();
                else while (!(await copy.write(parts()))) await copy.catchUp();
                mine.push(...names);
              }
              return mine;
            }),
          );
          const fresher = new StoredCopy(engine, name);
          for (const copy of [...copies, fresher]) await copy.catchUp();
          for (const copy of copies) expect(copy.texts).toEqual(fresher.texts);
          const { count: writes = '0', ...names } = fresher.texts;
          expect(Object.keys(names).toSorted()).toEqual(written.flat().toSorted());
          expect(Number(writes)).toBe(acts.flat().filter((kind) => kind !== 'catchUp').length);
        },
      );
      await fc.assert(property, { numRuns: 60, seed: 13 });
    });

    test.skipIf(engineName === memoryCase.name)('closes, and then rejects writes', async () => {
      const own = await start();
      const [client] = own.clients;
      await own.stop();
      if (client === undefined) throw new Error('no client');
      const write = new StoredCopy(client, 'a').write({ a: '1' });
      await expect(write).rejects.toMatchObject({ code: 'state' });
    });
  },
);
