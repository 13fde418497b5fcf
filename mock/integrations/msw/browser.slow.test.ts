import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { JSHandle, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { bundleForBrowser, createPageSender, openPage } from '../../../dev/check/browser.ts';
import { findChromium } from '../../../test/page/browser.ts';
import { createMovableClock, runConformance } from '../../../conformance/index.ts';
import type { FaultRule } from '../../control/declaration/schemas.ts';
import { loadPetstore } from '../../../test/mock/contracts.ts';
import type { PageMock, PageOptions } from '../../../test/mock/integrations/msw/page.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const bundle = await bundleForBrowser(fileOf('../../../test/mock/integrations/msw/page.ts'));

test('the mock and the contract need no Node modules in a browser', () => {
  const names = new Set(bundle.map(({ fileName }) => fileName));
  const foreign = bundle
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !names.has(name));
  expect(foreign).toEqual([]);
  expect(
    bundle
      .flatMap(({ moduleIds }) => moduleIds)
      .filter((id) => /swagger-parser|integrations\/node\/(browser\/)?server\.ts$/.test(id)),
  ).toEqual([fileOf('../node/browser/server.ts')]);
});

const startMock = async (page: Page, options: PageOptions): Promise<JSHandle<PageMock>> =>
  await page.evaluateHandle(async (given) => {
    const start: (options: PageOptions) => Promise<PageMock> = Reflect.get(globalThis, 'startMock');
    return await start(given);
  }, options);

const why =
  findChromium() === undefined
    ? ' (skipped: this machine has no Chromium; `apt-get install chromium` brings it)'
    : '';

describe.skipIf(findChromium() === undefined)(`in a service worker of Chromium${why}`, () => {
  test('the mock conforms', { timeout: 120_000 }, async () => {
    const [contract, document, seed] = await Promise.all([
      loadPetstore(),
      readFile(fileOf('../../../openapi.yaml'), 'utf8'),
      readFile(fileOf('../../../fixtures/inventory.json'), 'utf8'),
    ]);
    await using opened = await openPage(bundle, 'page');
    const { page } = opened;
    await page.waitForFunction('globalThis.startMock');
    const baseUrl = 'https://api.example.com/v1';
    const mock = await startMock(page, { baseUrl, document, seed });
    const time = createMovableClock();
    const clock = {
      now: time.now,
      async sleep(milliseconds: number) {
        await time.sleep(milliseconds);
        await mock.evaluate(({ advance }, by) => advance(by), milliseconds);
      },
    };
    const sender = createPageSender(page);
    const report = await runConformance(
      contract,
      { baseUrl, apiKey: 'demo-free' },
      { clock, sender, exhaust: true, plan: 'Free', longestWait: 2 * 86_400_000 },
    );
    expect(report.verdicts.filter(({ kind }) => kind === 'failed')).toEqual([]);
    expect([report.outcome, report.run.requests > 60]).toEqual(['conforms', true]);
    const exact = await sender.send({
      url: `${baseUrl}/pets`,
      method: 'POST',
      headers: [
        ['authorization', 'Bearer demo-pro'],
        ['content-type', 'application/json'],
      ],
      body: '{"name":"Rex","categoryId":9007199254740993}',
    });
    expect(exact).toMatchObject({
      response: { status: 201, body: expect.stringContaining('9007199254740993') },
    });
    const applied = async (rule: FaultRule): Promise<string> => {
      await mock.evaluate(({ addFault }, one) => addFault('a', one), { ...rule, count: 1 });
      const outcome = await sender
        .send({
          url: `${baseUrl}/pets?limit=1`,
          method: 'GET',
          headers: [['authorization', 'Bearer free_a']],
          body: undefined,
        })
        .catch(String);
      return typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
    };
    expect(await applied({ status: 503 })).toContain('"status":503');
    expect(await applied({ drip: { bytes: 20, milliseconds: 1 } })).toContain('Rex');
    for (const rule of [{ connection: 'reset' }, { body: 'truncated' }] as const)
      expect(await applied(rule)).toMatch(/TypeError: (Failed to fetch|network error)/);
  });
});
