import { expect, test } from '../../test/page/test.ts';

test('the clock is frozen, moved, set and reset', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes/limits');
  const panel = page.getByRole('region', { name: 'Clock' });
  const time = panel.getByRole('time');
  await panel.getByRole('button', { name: 'Freeze' }).click();
  await panel.getByText('frozen', { exact: true }).waitFor();
  await page.getByText('Clock frozen').waitFor();

  await panel.getByLabel(/^Set to/).fill('2026-06-02T09:30:05');
  await panel.getByRole('button', { name: 'Set', exact: true }).click();
  await expect.poll(() => time.innerText()).toBe('2026-06-02 09:30:05 UTC');
  await panel.getByLabel('Move by').fill('1.5');
  await panel.getByRole('button', { name: 'Forward', exact: true }).click();
  await expect.poll(() => time.innerText()).toBe('2026-06-03 21:30:05 UTC');
  await panel.getByLabel('Unit').selectOption('minutes');
  await panel.getByRole('button', { name: 'Back', exact: true }).click();
  await expect.poll(() => time.innerText()).toBe('2026-06-03 21:28:35 UTC');
  expect(await panel.getByLabel('Move by').inputValue()).toBe('1.5');

  await panel.getByLabel('Move by').fill('');
  await panel.getByRole('button', { name: 'Forward', exact: true }).click();
  await panel.getByText('Move by is required.').waitFor();
  await panel.getByLabel('Move by').fill('99999999');
  await panel.getByLabel('Unit').selectOption('days');
  await panel.getByRole('button', { name: 'Forward', exact: true }).click();
  await panel.getByText(/1970 to 9999/).waitFor();

  await panel.getByRole('button', { name: 'Use real time' }).click();
  await panel.getByText('frozen', { exact: true }).waitFor({ state: 'detached' });
  await panel.getByText('real time', { exact: true }).waitFor();
});

test('it jumps to the day on which an operation is removed', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes/limits');
  const panel = page.getByRole('region', { name: 'Clock' });
  await panel.getByRole('button', { name: /^Move the clock there/ }).click();
  await panel.getByText(/2030-12-05 00:00/).waitFor();
  await page.getByText('getPet is removed.').waitFor();
  await panel.getByText(/^\d.* ahead$/).waitFor();
  await page.getByText(/^Clock \d.* ahead$/).waitFor();
  expect((await mock.send('GET', '/pets/1')).status).toBe(404);
});

test('a clock moved elsewhere is updated at once', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes/limits');
  const panel = page.getByRole('region', { name: 'Clock' });
  await panel.getByRole('button', { name: 'Freeze' }).waitFor();
  const body = { now: '2031-01-01T00:00:00Z', frozen: true };
  await mock.control.call('setClock', { sandbox: 'main', body });
  await panel.getByText('2031-01-01 00:00:00 UTC').waitFor();
});
