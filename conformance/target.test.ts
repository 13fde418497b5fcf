import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, loadContract, parseJson, renderJson } from '../contract/index.ts';
import { createMock } from '../mock/index.ts';
import { isFailure } from './report.ts';
import { createMovableClock, runConformance, type Report, type RunOptions, type Target } from './index.ts';

/**
 * The suite as tests: one for each obligation. Judges PETSTORE_BASE_URL with PETSTORE_API_KEY where they are set,
 * else a mock of its own.
 */
const contract = await loadContract({ file: new URL('../openapi.yaml', import.meta.url).pathname });
const close: (() => Promise<void>)[] = [];
let report: Report;

beforeAll(async () => {
  const { target, options } = await openTarget();
  report = await runConformance(contract, target, { seed: 1, ...options });
}, 120_000);

afterAll(async () => {
  for (const each of close) await each();
});

async function openTarget(): Promise<{ target: Target; options: RunOptions }> {
  const { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey } = process.env;
  if (baseUrl) return { target: { baseUrl, apiKey }, options: {} };
  const clock = createMovableClock();
  const seed = parseJson(await readFile(new URL('../fixtures/inventory.json', import.meta.url), 'utf8'));
  const mock = createMock(contract, { clock, ...(isJsonObject(seed) ? { seed } : {}) });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  close.push(() => listening.close());
  const [key] = mock.keys;
  return { target: { baseUrl: listening.url, apiKey: key?.key }, options: { clock, exhaust: true, ...(key ? { plan: key.plan } : {}) } };
}

describe.each([...new Set(contract.obligations.map(({ operation }) => operation))])('%s', (operation) => {
  const obligations = contract.obligations.filter((each) => each.operation === operation && each.level !== 'open');
  test.for(obligations.map(({ id, sentence }) => ({ id, sentence })))('$id', ({ id, sentence }, { skip }) => {
    const verdict = report.verdicts.find(({ obligation }) => obligation.id === id);
    expect(verdict).toBeDefined();
    if (verdict?.kind === 'unproven') skip(`not proved: ${verdict.reason}`);
    const violations = verdict && isFailure(verdict) && verdict.kind === 'violated' ? verdict.violations : [];
    expect(violations, `${sentence} ${renderJson(violations.map(({ expected, received }) => ({ expected, received })), 2)}`).toEqual([]);
  });
});
