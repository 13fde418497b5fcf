import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, parseJson } from '../../contract/json/value.ts';
import { createMock } from '../../mock/index.ts';
import {
  createMovableClock,
  defineConformanceTests,
  type RunOptions,
  type Target,
} from '../index.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

/**
 * The suite as tests: one for each requirement. Judges PETSTORE_BASE_URL with PETSTORE_API_KEY where
 * they are set, else a mock of its own, whose clock is moved so that the drive to the limit takes
 * no time.
 */
const close: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const each of close) await each();
});

async function openTarget(): Promise<{ target: Target; options: RunOptions }> {
  const { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey } = process.env;
  if (baseUrl) return { target: { baseUrl, apiKey }, options: {} };
  const clock = createMovableClock();
  const seed = parseJson(
    await readFile(new URL('../../fixtures/inventory.json', import.meta.url), 'utf8'),
  );
  const mock = createMock(contract, { clock, ...(isJsonObject(seed) ? { seed } : {}) });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  close.push(() => listening.close());
  const [key] = mock.keys;
  return {
    target: { baseUrl: listening.url, apiKey: key?.key },
    options: { clock, exhaust: true, ...(key !== undefined ? { plan: key.plan } : {}) },
  };
}

defineConformanceTests({ describe, test, beforeAll }, contract, openTarget, { seed: 1 });

describe('a target that breaks a requirement', () => {
  const tests = new Map<string, () => void>();
  const skipped: string[] = [];
  const runs: Promise<void>[] = [];
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    test: (name: string, body: (context: { skip: () => void }) => void) =>
      tests.set(name, () => body({ skip: () => void skipped.push(name) })),
    beforeAll: (body: () => Promise<void>) => runs.push(body()),
  };

  beforeAll(async () => {
    const mock = createMock(contract);
    const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
    close.push(() => listening.close());
    const [key] = mock.keys;
    defineConformanceTests(
      runner,
      contract,
      { baseUrl: listening.url, apiKey: key?.key },
      { plan: 'Pro', requests: 15 },
    );
    await Promise.all(runs);
  }, 60_000);

  test('fails only its test, with the requirement', () => {
    const failed = [...tests].filter(([, body]) => {
      try {
        body();
        return false;
      } catch {
        return true;
      }
    });
    expect(failed.map(([name]) => name)).toEqual(['*/rate-limit.plan']);
    expect(tests.get('*/rate-limit.plan')).toThrow(
      /Limit is the limit that the plan[^]*expected {2}X-RateLimit-Limit 300 or 10000[^]*received {2}60/,
    );
    expect(skipped.length).toBeGreaterThan(50);
  });
});
