import type { Locator, Page } from 'playwright-core';
import { findBarriers, measureOverflow } from '../../test/page/accessibility.ts';
import type { MockServer } from '../../test/page/mock-server.ts';
import { expect, test } from '../../test/page/test.ts';

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Requests' });
const panel = (page: Page): Locator => page.locator('.request-panel');

/** Targets in sight, the newest first. */
async function targets(page: Page): Promise<readonly string[]> {
  return await page.locator('.rows .target').evaluateAll((cells) =>
    cells
      .map((cell) => ({
        text: cell.textContent,
        top: cell.getBoundingClientRect().top,
      }))
      .toSorted((one, other) => one.top - other.top)
      .map(({ text }) => text),
  );
}

/** Answers many requests at once, without connections and within every limit. */
function fill(mock: MockServer, from: number, to: number): void {
  for (let limit = from; limit < to; limit += 1)
    mock.handle({
      method: 'GET',
      target: `/v1/pets?n=${limit}`,
      headers: { authorization: 'Bearer demo-free' },
      content: undefined,
    });
}

const many = { journal: 12_000, limits: { Free: { minute: 1_000_000, day: 1_000_000 } } };

test('shows journal entries and new requests, newest first', async ({ mock, openPage }) => {
  await mock.send('GET', '/pets?limit=1');
  await mock.send('GET', '/pets?limit=2', { key: 'free_alice' });
  const page = await openPage(mock, '#/requests');
  await expect.poll(() => targets(page)).toEqual(['/v1/pets?limit=2', '/v1/pets?limit=1']);
  await mock.send('GET', '/pets?limit=3');
  await expect
    .poll(() => targets(page))
    .toEqual(['/v1/pets?limit=3', '/v1/pets?limit=2', '/v1/pets?limit=1']);
});

test('filters by sandbox, operation, status and text, and keeps the filter in the URL', async ({
  mock,
  openPage,
}) => {
  await mock.send('GET', '/pets?limit=1');
  await mock.send('GET', '/pets?limit=2', { key: 'free_alice' });
  await mock.send('GET', '/pets/1', { key: 'free_alice' });
  await mock.send('GET', '/pets/none', { key: 'free_alice' });
  await mock.send('GET', '/nothing', { key: 'free_alice' });
  const page = await openPage(mock, '#/requests');
  const search = page.getByRole('search', { name: 'Requests' });
  await page.getByLabel('Sandbox').selectOption('alice');
  await search.getByLabel('Only alice').check();
  await expect.poll(async () => (await targets(page)).length).toBe(4);
  await search.getByLabel('Status').selectOption('4xx');
  await expect.poll(() => targets(page)).toEqual(['/v1/nothing', '/v1/pets/none']);
  await page.getByText('2 of 5', { exact: true }).waitFor();
  await search.getByLabel('Operation').selectOption('getPet');
  await expect.poll(() => targets(page)).toEqual(['/v1/pets/none']);
  await search.getByLabel('Status').selectOption('200');
  await expect.poll(() => targets(page)).toEqual(['/v1/pets/1']);
  await search.getByLabel('Operation').selectOption('All');
  await search.getByLabel('Search').fill('LIMIT=2');
  await expect.poll(() => targets(page)).toEqual(['/v1/pets?limit=2']);

  const shared = new URL(page.url()).hash;
  const other = await openPage(mock, shared);
  await expect.poll(() => targets(other)).toEqual(['/v1/pets?limit=2']);
  await other.getByLabel('Status').selectOption('2xx');
  await expect.poll(() => new URL(other.url()).hash).toContain('status=2xx');
  await search.getByLabel('Search').fill('no such text');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(async () => (await targets(page)).length).toBe(5);
});

test('a row can be opened, followed and closed with the keyboard only', async ({
  mock,
  openPage,
}) => {
  await mock.send('POST', '/pets', { json: { name: 7 } });
  await mock.send('GET', '/pets?limit=2');
  const page = await openPage(mock, '#/requests');
  await expect.poll(async () => (await targets(page)).length).toBe(2);
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await panel(page).count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'POST /v1/pets' }).waitFor();
  await panel(page).getByText('#/components/schemas/NewPet/required').click();
  await panel(page).getByText('"categoryId"', { exact: true }).waitFor();
  await grid(page).focus();
  await panel(page).getByText('Refused').waitFor();
  await expect
    .poll(() => panel(page).locator('.message .code').last().textContent())
    .toContain('"name": 7');
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('ArrowUp');
  await page.getByRole('region', { name: 'GET /v1/pets?limit=2' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect.poll(() => panel(page).count()).toBe(0);
  await expect
    .poll(() => grid(page).evaluate((element) => element === document.activeElement))
    .toBe(true);
  await page.keyboard.press('Enter');
  for (const width of [390, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await measureOverflow(page)).toBe(0);
  }
});

test('new requests do not move a scrolled list, and a pause holds them back', async ({
  startMock,
  openPage,
}) => {
  const mock = await startMock(many);
  fill(mock, 0, 300);
  const page = await openPage(mock, '#/requests');
  await page.getByText('300 of 300', { exact: true }).waitFor();
  await grid(page).evaluate((element) => element.scrollTo(0, 2800 + 11));
  await page.getByText('/v1/pets?n=195', { exact: true }).waitFor();
  const placeOf = async (): Promise<number> =>
    await page
      .getByText('/v1/pets?n=195', { exact: true })
      .evaluate((cell) => cell.getBoundingClientRect().top);
  const before = await placeOf();
  fill(mock, 300, 400);
  await page.getByText('400 of 400', { exact: true }).waitFor();
  expect(await placeOf()).toBe(before);

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('No requests yet.').waitFor();
});

test('10,000 requests are kept, only visible ones are rendered, and each can be reached', async ({
  startMock,
  openPage,
}) => {
  const mock = await startMock(many);
  fill(mock, 0, 9990);
  const page = await openPage(mock, '#/requests');
  await page.getByText('9,990 of 9,990', { exact: true }).waitFor();
  fill(mock, 9990, 10_025);
  await page.getByText('25 older ones are not kept here').waitFor();
  expect(await page.locator('.rows .request').count()).toBeLessThan(60);
  await grid(page).focus();
  await page.keyboard.press('End');
  await page.getByText('/v1/pets?n=25', { exact: true }).waitFor();
  await page.getByLabel('Search').fill('n=1234');
  await expect.poll(() => targets(page)).toEqual(['/v1/pets?n=1234']);
});

test('two pages on two sandboxes each show their own requests', async ({ mock, openPage }) => {
  const alice = await openPage(mock, '#/requests?sandbox=alice&only=1');
  const bob = await openPage(mock, '#/requests?sandbox=bob&only=1');
  for (const page of [alice, bob]) await page.getByText(/^No request/).waitFor();
  await mock.send('GET', '/pets?limit=1', { key: 'free_alice' });
  await mock.send('GET', '/pets?limit=2', { key: 'free_bob' });
  await mock.send('GET', '/pets?limit=3', { key: 'free_alice' });
  await expect.poll(() => targets(alice)).toEqual(['/v1/pets?limit=3', '/v1/pets?limit=1']);
  await expect.poll(() => targets(bob)).toEqual(['/v1/pets?limit=2']);
});

test('a mock that is restarted on its port is shown without a reload', async ({
  mock,
  openPage,
}) => {
  await mock.send('GET', '/pets?limit=1');
  const page = await openPage(mock, '#/requests?status=2xx');
  await expect.poll(() => targets(page)).toEqual(['/v1/pets?limit=1']);
  await page.evaluate(() => document.documentElement.setAttribute('data-stays', ''));
  await mock.stop();
  await page.getByText('The mock does not respond.').waitFor();
  await mock.restart();
  await mock.send('GET', '/pets?limit=2');
  await expect.poll(() => targets(page)).toEqual(['/v1/pets?limit=2']);
  await mock.send('GET', '/pets?limit=3');
  await expect.poll(() => targets(page)).toEqual(['/v1/pets?limit=3', '/v1/pets?limit=2']);
  expect(await page.locator('html[data-stays]').count()).toBe(1);
});
