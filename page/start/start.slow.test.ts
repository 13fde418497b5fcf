import { loadContract } from '../../contract/load.ts';
import { fixtureFile } from '../../test/contract/sample.ts';
import { findBarriers, measureOverflow } from '../../test/page/accessibility.ts';
import { clipboard, copyWith, runShell } from '../../test/page/shell.ts';
import { expect, test } from '../../test/page/test.ts';

test('says what is mocked, where, and with which keys', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/start', clipboard);
  const copy = async (what: string): Promise<string> =>
    await copyWith(page, page.getByRole('button', { name: `Copy ${what}` }));
  expect(await copy('the base URL')).toBe(mock.url);
  await page.getByText('Copied the base URL.').waitFor();
  const row = page.getByRole('region', { name: 'Keys' }).getByRole('row').nth(1);
  expect(await row.getByRole('cell').allTextContents()).toEqual(['Free', '60', '1,000']);
  expect(await copy('the key demo-free')).toBe('demo-free');
  expect(await copy('the key free_alice')).toBe('free_alice');
  for (const path of ['/openapi.yaml', '/openapi.json', '/_mock/health', '/_mock/openapi.yaml']) {
    const link = page.getByRole('link', { name: `${mock.origin}${path}`, exact: true });
    const href = await link.getAttribute('href');
    expect((await fetch(`${href}`)).status).toBe(200);
  }
});

test('a first request is sent from the page, and appears under Requests', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock);
  await page.getByRole('combobox', { name: 'Key' }).selectOption('free_alice');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^200 in \d+ ms/).waitFor();
  await page.getByRole('button', { name: 'Show under Requests' }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#/requests?request=alice.1');
  await page.getByRole('region', { name: 'GET /v1/pets' }).waitFor();
  const row = page.getByRole('grid', { name: 'Requests' }).getByRole('row').nth(1);
  await row.getByText('alice').waitFor();
  expect(await row.textContent()).toContain('/v1/pets');
});

test('the curl line of each operation works', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/start', clipboard);
  const copied: string[] = [];
  for (const [operation, sign] of [
    ['listPets', "/pets'"],
    ['createPet', '--data-raw'],
    ['getPet', '/pets/1'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Operation' }).selectOption(operation);
    await page.getByText(sign).first().waitFor();
    copied.push(await copyWith(page, page.getByRole('button', { name: 'Copy the curl line' })));
  }
  const answers = await Promise.all(copied.map(runShell));
  expect(answers.map((answer) => answer.split('\r\n')[0])).toEqual([
    'HTTP/1.1 200 OK',
    'HTTP/1.1 201 Created',
    'HTTP/1.1 200 OK',
  ]);
});

test('a key is sent in a cookie if the document says so', async ({ startMock, openPage }) => {
  const file = fixtureFile('shapes/security-schemes.yaml');
  const page = await openPage(await startMock({ contract: await loadContract({ file }) }));
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('withCookie');
  await page.getByText('Cookie: session=').first().waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^200 in \d+ ms/).waitFor();
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('is accessible at any width', async ({ mock, openPage }) => {
  const page = await openPage(mock);
  await page.getByText('As JavaScript').click();
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await measureOverflow(page)).toBe(0);
});
