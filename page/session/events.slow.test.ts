import type { Page } from 'playwright-core';
import { expect, test } from '../../test/page/test.ts';

/** More than the connections that a browser opens to an origin at once. */
const maxPages = 8;

/** Opens further pages in the browser of another. */
async function openAlike(first: Page, count: number): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let at = 0; at < count; at += 1) {
    const page = await first.context().newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(first.url());
    pages.push(page);
  }
  return pages;
}

const row = (page: Page, target: string) =>
  page.locator('.rows .target', { hasText: target }).first();

test('the pages of one browser share a stream of events, which outlives each of them', async ({
  mock,
  openPage,
}) => {
  const first = await openPage(mock, '#/requests');
  await first.getByRole('heading', { name: 'Requests' }).waitFor();
  const others = await openAlike(first, maxPages - 1);
  await mock.send('GET', '/pets?limit=1');
  for (const page of [first, ...others]) await row(page, 'limit=1').waitFor();
  await first.close();
  await mock.send('GET', '/pets?limit=2');
  for (const page of others) await row(page, 'limit=2').waitFor();
  await mock.restart();
  await mock.send('GET', '/pets?limit=3');
  for (const page of others) {
    await row(page, 'limit=3').waitFor();
    expect(await row(page, 'limit=1').count()).toBe(0);
  }
});
