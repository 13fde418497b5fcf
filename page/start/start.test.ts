import { findBarriers, measureOverflow } from '../testing/accessibility.ts';
import { clipboard, copyWith, runShell } from '../testing/shell.ts';
import { expect, test } from '../testing/test.ts';

test('says what is mocked, where, and with which keys', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/start', clipboard);
  const copy = async (what: string): Promise<string> =>
    await copyWith(page, page.getByRole('button', { name: `Copy ${what}` }));
  expect(await copy('the base address')).toBe(mock.url);
  await page.getByText('Copied the base address.').waitFor();
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row').nth(1);
  expect(await row.getByRole('cell').allTextContents()).toEqual(['Free', '60', '1,000']);
  expect(await copy('the key demo-free')).toBe('demo-free');
  expect(await copy('the key free_alice')).toBe('free_alice');
  for (const path of ['/openapi.yaml', '/openapi.json', '/_mock/health', '/_mock/openapi.yaml']) {
    const link = page.getByRole('link', { name: `${mock.origin}${path}`, exact: true });
    const href = await link.getAttribute('href');
    expect((await fetch(`${href}`)).status).toBe(200);
  }
});

test('a first request is sent from the page, and is found under Requests', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock);
  await page.getByRole('combobox', { name: 'Key' }).selectOption('free_alice');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^200 in \d+ ms/).waitFor();
  const link = page.getByRole('link', { name: 'See it under Requests' });
  await expect.poll(() => link.getAttribute('href')).toBe('#/requests?request=alice.1');
  await link.click();
  await page.getByRole('region', { name: 'GET /v1/pets' }).waitFor();
  const row = page.getByRole('grid', { name: 'Requests' }).getByRole('row').nth(1);
  await row.getByText('alice').waitFor();
  expect(await row.textContent()).toContain('/v1/pets');
});

test('the curl line of each operation does it', async ({ mock, openPage }) => {
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

test('says what the mock chose, and has no barrier', async ({ mock, openPage }) => {
  await mock.control.call('setChoices', {
    sandbox: 'main',
    body: { 'list-order': 'name-ascending' },
  });
  const page = await openPage(mock);
  await page.getByText(/leaves \d+ questions open/).click();
  await page.getByText('By name.').first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await measureOverflow(page)).toBe(0);
});

test('tells which choices of a sandbox are not the usual ones', async ({ mock, openPage }) => {
  await mock.control.call('setChoices', {
    sandbox: 'alice',
    body: { 'list-order': 'name-ascending' },
  });
  const page = await openPage(mock, '#/start?sandbox=alice');
  await page.getByText('Other than usual in the sandbox alice').waitFor();
  expect(
    await page.locator('main dl').filter({ hasText: 'By name' }).first().innerText(),
  ).toContain('In which order are pets listed?');
  await page.goto(`${mock.origin}/#/start`);
  await page.getByText('What the mock does in the sandbox main').waitFor();
  await expect.poll(() => page.getByText('Other than usual').count()).toBe(0);
});
