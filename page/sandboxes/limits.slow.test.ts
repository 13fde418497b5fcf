import { expect, test } from '../../test/page/test.ts';

test('a limit is used up, refilled, changed and reset, and its key banned', async ({
  mock,
  openPage,
}) => {
  // Counts start again with each full minute of the clock.
  const body = { now: '2026-06-01T12:00:30Z', frozen: true };
  await mock.control.call('setClock', { sandbox: 'main', body });
  const page = await openPage(mock, '#/sandboxes/limits');
  const plan = page.getByRole('group', { name: 'Plan Free' });
  await plan.getByText('0 of 60 used, 60 left').waitFor();
  await mock.send('GET', '/pets');
  await plan.getByText('1 of 60 used, 59 left').waitFor();
  await plan
    .getByText(/resets in \d+ (seconds?|minute)/)
    .first()
    .waitFor();

  await plan.getByRole('button', { name: 'Use up Free per minute' }).click();
  await plan.getByText('60 of 60 used, 0 left').waitFor();
  await page.getByText('The minute limit of Free is used up.').waitFor();
  expect((await mock.send('GET', '/pets')).status).toBe(429);
  await plan.getByRole('button', { name: 'Refill Free per minute' }).click();
  await plan.getByText('0 of 60 used, 60 left').waitFor();

  await plan.getByText('Change limits').click();
  const form = plan.getByRole('form', { name: 'Change the limits of Free in sandbox main' });
  const used = form.getByLabel('Used this minute');
  await used.fill('some');
  await used.press('Enter');
  await form.getByText('Enter a number.').waitFor();
  expect(await used.inputValue()).toBe('some');
  await used.fill('7');
  await form.getByLabel('Limit per minute').fill('5');
  await used.press('Enter');
  await plan.getByText('7 of 5 used, 0 left').waitFor();
  await page.getByText('1 changed limit', { exact: true }).waitFor();
  await expect.poll(() => used.inputValue()).toBe('');

  await form.getByLabel('Ban for (s)').fill('60');
  await form.getByRole('button', { name: 'Change' }).click();
  await plan.getByText('banned', { exact: true }).waitFor();
  await plan.getByRole('button', { name: 'End the ban' }).click();
  await plan.getByText('banned', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Reset limits and counts' }).click();
  await plan.getByText('0 of 60 used, 60 left').waitFor();
});

test('counts start again by themselves when the window ends', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes/limits');
  const plan = page.getByRole('group', { name: 'Plan Free' });
  await plan.getByText('0 of 60 used, 60 left').waitFor();
  const body = { used: { minute: 9 }, resetSeconds: { minute: 3 } };
  await mock.control.call('setQuota', { sandbox: 'main', plan: 'Free', body });
  await plan.getByText('9 of 60 used, 51 left').waitFor();
  await plan.getByText('0 of 60 used, 60 left').waitFor();
});
