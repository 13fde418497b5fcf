import type { Locator, Page } from 'playwright-core';
import { findBarriers } from '../../test/page/accessibility.ts';
import { clipboard, copyWith, runShell } from '../../test/page/shell.ts';
import { expect, test } from '../../test/page/test.ts';

const rows = (page: Page): Locator => page.locator('.rows .request');
const panel = (page: Page): Locator => page.locator('.request-panel');
const curlButton = (page: Page): Locator =>
  panel(page).getByRole('button', { name: 'Copy as curl' });
const pet = { name: `Conan O'Brien "x" \\ $HOME\n`, categoryId: 1 };

test('a request copied as curl sends the same request', async ({ mock, openPage }) => {
  const sent = await mock.send('POST', '/pets?note=[a]&b={c}', { key: 'pro_alice', json: pet });
  const page = await openPage(mock, '#/requests', clipboard);
  await rows(page).first().click();
  const answer = await runShell(await copyWith(page, curlButton(page)));
  await page.getByText('Copied as curl.').waitFor();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain('HTTP/1.1 201 Created');
  const { id: _, ...first } = await sent.json();
  const { id: _own, ...second } = JSON.parse(body);
  expect(second).toEqual(first);
  const { exchanges } = await mock.control.call('readJournal', { sandbox: 'alice' });
  const [one, other] = exchanges;
  expect({ ...other, index: 0, at: '', milliseconds: 0, rate: 0 }).toEqual({
    ...one,
    index: 0,
    at: '',
    milliseconds: 0,
    rate: 0,
  });
});

test('refused requests are copied unchanged', async ({ mock, openPage }) => {
  await mock.send('GET', '/pets', { key: undefined });
  await mock.send('GET', '/pets', { key: 'who-is-this' });
  await mock.send('POST', '/pets', { json: { name: 7 } });
  const page = await openPage(mock, '#/requests', clipboard);
  await expect.poll(() => rows(page).count()).toBe(3);
  const lines: string[] = [];
  for (const at of [0, 1, 2]) {
    await rows(page).nth(at).click();
    lines.push(await copyWith(page, curlButton(page)));
  }
  const answers = await Promise.all(lines.map(runShell));
  expect(answers.map((answer) => answer.slice(0, 12)).toSorted()).toEqual([
    'HTTP/1.1 400',
    'HTTP/1.1 401',
    'HTTP/1.1 401',
  ]);
});

test('a request is sent again from the page', async ({ mock, openPage }) => {
  await mock.send('POST', '/pets', { key: 'pro_alice', json: pet });
  const page = await openPage(mock, '#/requests');
  await rows(page).first().click();
  await panel(page).getByRole('button', { name: 'Send again' }).click();
  await panel(page)
    .getByText(/^Sent again: 201/)
    .waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
  const { exchanges } = await mock.control.call('readJournal', { sandbox: 'alice' });
  expect(exchanges.map(({ body, status, plan }) => ({ body, status, plan }))).toEqual(
    [1, 2].map(() => ({ body: JSON.stringify(pet), status: 201, plan: 'Pro' })),
  );
});

test('a request that gets no response says so', async ({ mock, openPage }) => {
  await mock.send('GET', '/pets');
  await mock.control.call('addFault', { sandbox: 'main', body: { body: 'truncated' } });
  const page = await openPage(mock, '#/requests');
  await rows(page).first().click();
  await panel(page).getByRole('button', { name: 'Send again' }).click();
  await panel(page).getByText('No response: the connection was broken.').waitFor();
});

test('a request with a truncated body is neither copied nor sent, with the reason', async ({
  mock,
  openPage,
}) => {
  await mock.send('POST', '/pets', { json: { name: 'x'.repeat(5000), categoryId: 1 } });
  const page = await openPage(mock, '#/requests');
  await rows(page).first().click();
  await panel(page)
    .getByText(/^The mock keeps only the first 4,096 bytes of a body/)
    .waitFor();
  expect(await panel(page).getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
  expect(await curlButton(page).isDisabled()).toBe(true);
});

test('a fault made from a request makes the next one fail', async ({ mock, openPage }) => {
  await mock.send('GET', '/pets', { key: 'free_alice' });
  const page = await openPage(mock, '#/requests');
  await rows(page).first().click();
  await panel(page).getByRole('button', { name: 'Add a fault', exact: true }).click();
  const form = page.getByRole('form', { name: 'Add a fault in sandbox alice' });
  const status = form.getByLabel('Error status');
  await status.fill('200');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  await form.getByText('Error status must be at least 400.').waitFor();
  expect(await status.inputValue()).toBe('200');
  await status.fill('599');
  await form.getByText('More options').click();
  await form.getByLabel('Retry-After').fill('7');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  await panel(page).getByText('The fault is in sandbox alice').waitFor();
  expect((await mock.send('GET', '/pets')).status).toBe(200);
  const failed = await mock.send('GET', '/pets', { key: 'free_alice' });
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([599, '7']);
  expect((await mock.send('GET', '/pets', { key: 'free_alice' })).status).toBe(200);
  await rows(page).filter({ hasText: '599' }).click();
  await panel(page)
    .getByText('responded with 599. listPets does not document status 599.')
    .waitFor();
});

test('a stub made from a request starts with its response', async ({ mock, openPage }) => {
  await mock.send('GET', '/pets/1');
  const page = await openPage(mock, '#/requests');
  await rows(page).first().click();
  await panel(page).getByRole('button', { name: 'Add a stub', exact: true }).click();
  const form = page.getByRole('form', { name: 'Add a stub in sandbox main' });
  expect(await form.getByLabel('Path').inputValue()).toBe('/v1/pets/1');
  const body = form.getByLabel('Response body, as JSON');
  expect(JSON.parse(await body.inputValue())).toMatchObject({ id: 1 });
  await body.fill('{"id":1,');
  await form.getByText(/^This is not JSON: /).waitFor();
  await body.fill('{"id":1,"name":"Stubbed","categoryId":1}');
  await form.getByRole('button', { name: 'Add the stub' }).click();
  await panel(page).getByText('The stub is in sandbox main').waitFor();
  expect(await (await mock.send('GET', '/pets/1')).text()).toContain('Stubbed');
  await page.locator('abbr[title="A stub answered"]').first().waitFor();
});

test('on a phone it is a sheet over the list that can be closed with the keyboard', async ({
  mock,
  openPage,
}) => {
  await mock.send('GET', '/pets');
  const page = await openPage(mock, '#/requests', { viewport: { width: 390, height: 800 } });
  await rows(page).first().click();
  const box = await panel(page).boundingBox();
  const messages = await page.getByRole('contentinfo').boundingBox();
  expect([box?.x, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([0, messages?.y]);
  const close = panel(page).getByRole('button', { name: 'Close' });
  await expect.poll(() => close.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
});

test('hints and a moved clock are shown', async ({ mock, openPage }) => {
  await mock.control.call('setClock', {
    sandbox: 'alice',
    body: { now: '2030-12-06T00:00:00Z', frozen: true },
  });
  await mock.send('GET', '/pets/1?limt=3', { key: 'free_alice' });
  const page = await openPage(mock, '#/requests');
  await page.getByText('alice is frozen at 2030-12-0').waitFor();
  await rows(page).first().click();
  await panel(page).getByText('Hint').first().waitFor();
  await panel(page).getByText('by the clock of alice, which was changed').waitFor();
});
