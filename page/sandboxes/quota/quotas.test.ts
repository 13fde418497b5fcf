import { expect, test } from '../../testing/test.ts';

test('a quota is spent, refilled, limited and banned', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes');
  const plan = page.getByRole('group', { name: 'Plan Free' });
  await plan.getByText('0 of 60 used, 60 left').waitFor();
  await mock.send('GET', '/pets');
  await plan.getByText('1 of 60 used, 59 left').waitFor();
  await plan.getByText(/resets in \d+ (seconds?|minute)/).waitFor();

  await plan.getByRole('button', { name: 'Spend all of Free per minute' }).click();
  await plan.getByText('60 of 60 used, 0 left').waitFor();
  expect((await mock.send('GET', '/pets')).status).toBe(429);
  await plan.getByRole('button', { name: 'Refill Free per minute' }).click();
  await plan.getByText('0 of 60 used, 60 left').waitFor();

  await plan.getByText('Change Free').click();
  const count = plan.getByLabel('Requests to spend of Free per minute');
  await count.fill('some');
  await count.press('Enter');
  await page.getByText('Give a whole number of requests to spend, 1 or more.').waitFor();
  expect(await count.inputValue()).toBe('some');
  await count.fill('7');
  await count.press('Enter');
  await plan.getByText('7 of 60 used, 53 left').waitFor();
  const limit = plan.getByLabel('Limit of Free per minute');
  await limit.fill('5');
  await limit.press('Enter');
  await plan.getByText('7 of 5 used, 0 left').waitFor();

  await plan.getByRole('button', { name: 'Ban', exact: true }).click();
  await plan.getByText('banned', { exact: true }).waitFor();
  await plan.getByRole('button', { name: 'End the ban' }).click();
  await plan.getByText('banned', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Reset limits and counts' }).click();
  await plan.getByText('0 of 60 used, 60 left').waitFor();
});

test('counts begin anew by themselves when the window ends', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes');
  const plan = page.getByRole('group', { name: 'Plan Free' });
  await plan.getByText('0 of 60 used, 60 left').waitFor();
  const body = { used: { minute: 9 }, resetSeconds: { minute: 3 } };
  await mock.control.call('setQuota', { sandbox: 'main', plan: 'Free', body });
  await plan.getByText('9 of 60 used, 51 left').waitFor();
  await plan.getByText('0 of 60 used, 60 left').waitFor();
});
