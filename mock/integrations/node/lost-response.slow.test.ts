import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../../test/page/browser.ts';
import type { FaultRule, Listening, Mock } from '../../index.ts';
import { createMock } from '../../index.ts';
import { loadPetstore } from '../../../test/mock/contracts.ts';

const petstore = await loadPetstore();
const executablePath = findChromium();

/** What a page sees of a POST on a connection that was used before. */
interface Seen {
  readonly status: number | undefined;
  /** Why there is no response, or no body; undefined where all is there. */
  readonly error: string | undefined;
}

const postTwice = (page: Page, url: string): Promise<Seen> =>
  page.evaluate(async (address) => {
    const headers = { authorization: 'Bearer free_a', 'content-type': 'application/json' };
    const body = '{"name":"Rex","categoryId":1}';
    const post = (): Promise<Response> => fetch(address, { method: 'POST', headers, body });
    await (await post()).text();
    let status: number | undefined;
    try {
      const response = await post();
      ({ status } = response);
      await response.text();
      return { status, error: undefined };
    } catch (error) {
      return { status, error: String(error) };
    }
  }, url);

describe.skipIf(executablePath === undefined)('a lost response in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(async () => {
    await browser.close();
  });

  let mock: Mock;
  let listening: Listening;
  let page: Page;
  beforeEach(async () => {
    mock = createMock(petstore, { seed: {} });
    listening = await mock.listen();
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await listening.close();
  });

  /** The second POST meets the fault. */
  const meet = async (fault: FaultRule): Promise<readonly [Seen, posts: number, items: number]> => {
    const sandbox = (await mock.control()).sandbox('a');
    sandbox.addFault({ operation: 'createPet', delay: { from: 0, to: 0 }, count: 1 });
    sandbox.addFault({ operation: 'createPet', count: 1, ...fault });
    const seen = await postTwice(page, `${listening.url}/pets`);
    const posts = await sandbox.waitFor({ operation: 'createPet' }, { milliseconds: 0 });
    return [seen, posts.length, sandbox.itemCounts['/pets'] ?? 0];
  };

  test('by `reset` is invisible to the page: the browser repeats the POST', async () => {
    expect(await meet({ connection: 'reset' })).toEqual([{ status: 201, error: undefined }, 3, 3]);
  });

  test('by repeated `reset` is visible, after every attempt has taken effect', async () => {
    const [seen, posts, items] = await meet({ connection: 'reset', count: undefined });
    expect(seen).toEqual({ status: undefined, error: 'TypeError: Failed to fetch' });
    expect([posts, items]).toEqual([3, 3]);
  });

  test.each([
    ['reset-after-headers', { connection: 'reset-after-headers' }],
    ['a truncated body', { body: 'truncated' }],
  ] as const)('by %s is visible, and nothing is repeated', async (_name, fault) => {
    const [seen, posts, items] = await meet(fault);
    expect(seen.status).toBe(201);
    expect(seen.error).toContain('TypeError');
    expect([posts, items]).toEqual([2, 2]);
  });
});
