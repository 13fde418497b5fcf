import { freshNumbers } from '../generate/tag.ts';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { isJsonObject, parseJson } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import type { Contract } from '../../contract/contract.ts';
import { createMock } from '../../mock/index.ts';
import { createMovableClock, runConformance, type Report, type RunOptions } from '../index.ts';
import { rerunReport } from '../../test/conformance/log-run.ts';
import { petstore } from '../../test/contract/petstore.ts';

/** Targets that were not written to please the suite, and the switches of a run, over real HTTP. */
const root = new URL('../../', import.meta.url);
const close: (() => unknown)[] = [];

afterAll(async () => {
  for (const each of close) await each();
});

async function judgeMock(
  contract: Contract,
  options: RunOptions = {},
  seed: Parameters<typeof createMock>[1] = {},
): Promise<Report> {
  const clock = createMovableClock(() => Date.UTC(2026, 5, 1));
  const mock = createMock(contract, { clock, ...seed });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  close.push(() => listening.close());
  const [key] = mock.keys;
  return await runConformance(
    contract,
    { baseUrl: listening.url, apiKey: key?.key },
    { clock, seed: 1, ...(key !== undefined ? { plan: key.plan } : {}), ...options },
  );
}

function failed(report: Report): readonly string[] {
  return report.verdicts
    .filter(({ kind }) => kind === 'failed')
    .map(({ requirement }) => requirement.id);
}

test('the mock of a second document conforms without any code for it', async () => {
  const books = await loadContract({
    file: new URL('fixtures/documents/books.yaml', root).pathname,
  });
  const report = await judgeMock(books, { requests: 400, longestWait: 3_600_000 });
  expect(failed(report)).toEqual([]);
  expect(report.counts.passed).toBeGreaterThan(300);
});

test('an empty mock conforms', async () => {
  const report = await judgeMock(petstore, { exhaust: true }, { seed: {} });
  expect(failed(report)).toEqual([]);
});

test('every plan of the document is distinguished from every other', async () => {
  const seed = parseJson(await readFile(new URL('fixtures/inventory.json', root), 'utf8'));
  const report = await judgeMock(
    petstore,
    { plan: 'Pro', requests: 20 },
    isJsonObject(seed) ? { seed } : {},
  );
  expect(failed(report)).toEqual(['*/rate-limit.plan']);
});

test('read-only sends nothing but GET', async () => {
  const report = await judgeMock(petstore, { readOnly: true });
  expect(new Set(report.exchanges.map(({ request }) => request.method))).toEqual(new Set(['GET']));
  expect(report.leftBehind).toEqual([]);
  expect(failed(report)).toEqual([]);
});

test.for([1, 5, 10, 25, 60, 100, 240])('never sends more than %d requests', async (requests) => {
  const report = await judgeMock(petstore, { requests, longestWait: 3_600_000 });
  expect(report.exchanges.length).toBeLessThanOrEqual(requests);
  expect(report.run.requests).toBe(report.exchanges.length);
  expect(failed(report)).toEqual([]);
});

test('the same seed sends the same requests', async () => {
  const lines = async (): Promise<readonly string[]> => {
    const report = await judgeMock(petstore, { seed: 7, requests: 120, longestWait: 3_600_000 });
    const own = [...freshNumbers(report.run.tag).map(String), report.run.tag];
    return report.exchanges.map(({ request, intent }) => {
      const isNew = intent.kind === 'absent' || request.body?.includes('"id":') === true;
      const text = `${request.method} ${request.target} ${request.body ?? ''}`;
      const plain = own.reduce((all, each) => all.replaceAll(each, 'TAG'), text);
      return plain.replaceAll(isNew ? /\d{6,}/g : /(?<=^GET \/pets\/)\d{6,}/g, 'NEW');
    });
  };
  expect(await lines()).toEqual(await lines());
});

test(
  "Prism's mock is found to have no state and no real rate limit",
  { timeout: 90_000 },
  async () => {
    const report = await runConformance(
      petstore,
      { baseUrl: await startPrism(), apiKey: 'any' },
      { plan: 'Free', timeout: 30_000 },
    );
    const ids = failed(report);
    for (const id of [
      'createPet/state.echo.name',
      'createPet/state.id-unique',
      'getPet/state.read.id',
      'listPets/parameter.status.filter',
      '*/rate-limit.remaining-counts',
      '*/rate-limit.reset-plausible',
      'listPets/auth.invalid',
      'createPet/robustness.answered',
    ]) {
      expect(ids).toContain(id);
    }
    expect(await rerunReport(petstore, report)).toEqual({ report, departures: [] });
  },
);

/** Prism on a free port; resolves when it says that it listens. */
async function startPrism(): Promise<string> {
  const child = spawn(
    new URL('node_modules/.bin/prism', root).pathname,
    ['mock', '--port', '0', new URL('openapi.yaml', root).pathname],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, SCARF_ANALYTICS: 'false' } },
  );
  close.push(() => child.kill());
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    const url = /listening on (http:\S+?)\/?\s/.exec(text)?.[1];
    if (url !== undefined) resolve(stripVTControlCharacters(url));
  });
  child.once('exit', () => {
    reject(new Error(`Prism ended: ${text}`));
  });
  return await promise;
}
