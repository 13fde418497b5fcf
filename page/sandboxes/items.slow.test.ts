import { readFile } from 'node:fs/promises';
import { expect, test } from '../../test/page/test.ts';

test('an item is added from the sample, changed, removed, and brought back', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes');
  const items = page.getByRole('region', { name: 'Items', exact: true });
  await items.getByRole('button', { name: 'Add an item' }).click();
  const form = items.getByRole('form', { name: 'Add to /pets' });
  expect(await form.getByLabel('name', { exact: true }).inputValue()).toBe('Rex');
  await form.getByLabel('name', { exact: true }).fill('Ziggy');
  await form.getByLabel('status').selectOption('pending');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText('Ziggy (3) is added.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Undo');
  await items.getByRole('searchbox').fill('ziggy');
  const row = items.getByRole('row', { name: /Ziggy/ });
  expect(await row.innerText()).toMatch(/3\s+Ziggy\s+\d+\s+pending/);

  await row.getByRole('button', { name: 'Edit 3' }).click();
  const change = items.getByRole('form', { name: 'Edit 3' });
  await change.getByLabel('status').selectOption('Not set');
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });
  await page.getByText('Ziggy (3) is changed.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Undo');
  await row.getByRole('button', { name: 'Item 3' }).click();
  const body = items.locator('pre');
  await expect.poll(() => body.innerText()).not.toContain('status');

  await row.getByRole('button', { name: 'Remove 3' }).click();
  await items.getByText('No item contains this text.').waitFor();
  await page.getByText('Ziggy (3) is removed.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Undo');
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();
  const state = await mock.control.call('readState', { sandbox: 'main' });
  expect(state['/pets']?.at(-1)).toMatchObject({ id: 3, name: 'Ziggy' });
});

test('refusals of the mock are shown at the field, and nothing typed is lost', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes');
  const items = page.getByRole('region', { name: 'Items', exact: true });
  await items.getByRole('button', { name: 'Add an item' }).click();
  const form = items.getByRole('form', { name: 'Add to /pets' });
  const name = form.getByLabel('name', { exact: true });
  const category = form.getByLabel('categoryId');
  await name.fill('');
  await category.fill('many');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('Enter a number.').waitFor();
  await category.fill('1.5');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
  expect(await form.locator('.field .error').allInnerTexts()).toEqual([
    expect.stringMatching(/^name is required/),
    expect.stringMatching(/^categoryId must be/),
  ]);
  await expect.poll(() => name.evaluate((one) => one === document.activeElement)).toBe(true);
  // Requests go on meanwhile.
  await mock.send('POST', '/pets', { json: { name: 'Other', categoryId: 1 } });
  await items.getByText('1 to 3 of 3').waitFor();
  expect(await category.inputValue()).toBe('1.5');

  await name.fill('Zoe');
  await category.fill('9007199254740993');
  const json = form.getByLabel('Other members, as JSON');
  await json.fill('{"tag": ');
  await form.getByText(/^This is not JSON/).waitFor();
  await json.fill('');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await items.getByRole('searchbox').fill('zoe');
  await items.getByRole('cell', { name: '9007199254740993', exact: true }).waitFor();
});

test('the state is saved to and loaded from a file, and reset to the seed', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes?sandbox=alice');
  const items = page.getByRole('region', { name: 'Items', exact: true });
  const download = page.waitForEvent('download');
  await items.getByRole('button', { name: 'Download all as JSON' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('alice.json');
  const state: unknown = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(state).toEqual(await mock.control.call('readState', { sandbox: 'alice' }));

  const upload = async (name: string, text: string): Promise<void> =>
    await items
      .getByLabel('Load from a file')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await upload('broken.json', '{');
  await page.getByText('broken.json: This is not JSON').waitFor();
  await upload('wrong.json', '{"/pets": [{"id": 1}]}');
  await page.getByText(/name is required/).waitFor();
  await upload('one.json', '{"/pets": [{"id": 9007199254740993, "name": "One", "categoryId": 1}]}');
  await items.getByRole('cell', { name: '9007199254740993', exact: true }).waitFor();
  await items.getByRole('button', { name: 'Reset to sample data' }).click();
  await items.getByRole('cell', { name: 'Rex' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await items.getByRole('cell', { name: '9007199254740993', exact: true }).waitFor();
});

test('items added elsewhere appear automatically, newest first, page by page', async ({
  mock,
  openPage,
}) => {
  const pets = Array.from({ length: 30 }, (_, index) => ({ name: `Pet ${index}`, categoryId: 1 }));
  await mock.control.call('replaceState', { sandbox: 'main', body: { '/pets': pets } });
  const page = await openPage(mock, '#/sandboxes');
  const items = page.getByRole('region', { name: 'Items', exact: true });
  const first = items.locator('tbody tr').first();
  await items.getByText('1 to 25 of 30').waitFor();
  await first.getByText('Pet 29').waitFor();
  await items.getByRole('button', { name: 'Next' }).click();
  await items.getByText('26 to 30 of 30').waitFor();
  expect(await items.locator('tbody tr').last().innerText()).toContain('Pet 0');
  await mock.send('POST', '/pets', { json: { name: 'Late', categoryId: 1 } });
  await items.getByText('26 to 31 of 31').waitFor();
  await items.getByRole('button', { name: 'Previous' }).click();
  await first.getByText('Late').waitFor();
  await items.getByRole('button', { name: 'Add an item' }).click();
  const form = items.getByRole('form', { name: 'Add to /pets' });
  await form.getByLabel('name', { exact: true }).fill('New');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('New (32) is added.').waitFor();
  await first.getByText('New').waitFor();
  await items.getByRole('searchbox').fill('Pet 1');
  await items.getByText('1 to 11 of 11').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await mock.send('GET', '/pets/32')).status).toBe(404);
  await items.getByRole('searchbox').fill('');
  await items.getByText('1 to 25 of 31').waitFor();
  await items.getByRole('button', { name: 'Next' }).click();
  await items.getByText('26 to 31 of 31').waitFor();
  await mock.control.call('replaceState', { sandbox: 'main', body: { '/pets': pets.slice(0, 3) } });
  await items.getByText('1 to 3 of 3').waitFor();
  await mock.control.call('replaceState', { sandbox: 'main', body: { '/pets': [] } });
  await items.getByText('No items.').waitFor();
});

test('an Undo that ends late leaves the focus where somebody types', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes');
  const items = page.getByRole('region', { name: 'Items', exact: true });
  await items.getByRole('button', { name: 'Add an item' }).click();
  await items.getByRole('button', { name: 'Add', exact: true }).click();
  const removal = Promise.withResolvers<undefined>();
  await page.route('**/items/**', async (route) => {
    await removal.promise;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  const search = items.getByRole('searchbox');
  await search.focus();
  removal.resolve(undefined);
  await page.getByText('Connected to').waitFor();
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
});

test.for([390, 1440])(
  'columns stay where they are while values change, at %i',
  async (width, { mock, openPage }) => {
    const page = await openPage(mock, '#/sandboxes', { viewport: { width, height: 900 } });
    const heads = page.getByRole('columnheader');
    await heads.first().waitFor();
    const places = async (): Promise<unknown> =>
      await heads.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().x));
    const before = await places();
    const body = {
      '/pets': [{ id: 1234567890123, name: 'A rather long name '.repeat(4), categoryId: 1 }],
    };
    await mock.control.call('replaceState', { sandbox: 'main', body });
    await page.getByRole('cell', { name: '1234567890123', exact: true }).waitFor();
    expect(await places()).toEqual(before);
  },
);
