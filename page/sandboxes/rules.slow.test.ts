import { expect, test } from '../../test/page/test.ts';

test('a fault is added, counts, is edited, duplicated and removed', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes/faults');
  const panel = page.getByRole('region', { name: 'Faults' });
  await panel.getByText('No faults.').waitFor();
  await panel.getByRole('button', { name: 'Add a fault' }).click();
  const form = panel.getByRole('form', { name: 'Add a fault in sandbox main' });
  await form.getByLabel('Operation').selectOption('listPets');
  const status = form.getByLabel('Error status');
  await status.fill('5o3');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  await form.getByText('Enter a number.').waitFor();
  await form.getByText('Sent in place of the response').waitFor();
  await expect.poll(() => status.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await status.inputValue()).toBe('5o3');
  await status.fill('200');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  await form.getByText('Error status must be at least 400.').waitFor();
  await status.fill('');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  await form.getByText('Choose an error status, a delay').waitFor();
  await status.fill('503');
  await form.getByLabel('Number of requests').fill('1');
  await form.getByText('More options', { exact: true }).click();
  await form.getByLabel('Retry-After').fill('7');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  const fault = panel.getByRole('listitem').first();
  const facts = async (): Promise<string> =>
    (await fault.locator('dl').innerText()).replaceAll('\n', ' ');
  await expect
    .poll(facts)
    .toBe('Operation listPets Error status 503 Retry-After in seconds 7 Used 0 of 1');
  const failed = await mock.send('GET', '/pets');
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '7']);
  await panel.getByText('used up (1 of 1)').waitFor();
  await panel.getByRole('button', { name: 'Use fault-1 again' }).click();
  await page.getByText('fault-1 is used for one more request.').waitFor();
  await panel.getByText('1 of 2', { exact: true }).waitFor();
  expect((await mock.send('GET', '/pets')).status).toBe(503);
  expect((await mock.send('GET', '/pets')).status).toBe(200);
  await panel.getByText('used up (2 of 2)').waitFor();

  await panel.getByRole('button', { name: 'Edit fault-1' }).click();
  const edit = panel.getByRole('form', { name: 'Edit fault-1' });
  expect(await edit.getByLabel('Retry-After').inputValue()).toBe('7');
  await edit.getByLabel('Error status').fill('500');
  await edit.getByLabel('Retry-After').fill('');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect.poll(facts).toBe('Operation listPets Error status 500 Used used up (2 of 2)');
  await panel.getByRole('button', { name: 'Duplicate fault-1' }).click();
  await form.getByLabel('Operation').selectOption('Every operation');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  await panel.getByRole('listitem').nth(1).getByText('Every operation').waitFor();
  const faults = await mock.control.call('listFaults', { sandbox: 'main' });
  expect(faults).toMatchObject([
    { operation: 'listPets', status: 500, count: 2 },
    { status: 500, count: 2 },
  ]);
  await panel.getByRole('button', { name: 'Remove fault-1' }).click();
  await panel.getByRole('definition').getByText('listPets').waitFor({ state: 'detached' });
});

test('a stub is added, is checked against the contract, counts, is edited and removed', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes/faults');
  const panel = page.getByRole('region', { name: 'Stubs' });
  await panel.getByRole('button', { name: 'Add a stub' }).click();
  const form = panel.getByRole('form', { name: 'Add a stub in sandbox main' });
  await form.getByLabel('Operation').selectOption('listPets');
  await form.getByRole('button', { name: 'Add the stub' }).click();
  await form.getByText('Enter a status, a delay or a body.').waitFor();
  await form.getByLabel('Query').fill('limit=2');
  await form.getByLabel('Number of requests').fill('1');
  await form.getByLabel('Response body, as JSON').fill('[{"id":9007199254740993,"name":"Rex"}]');
  await form.getByRole('button', { name: 'Add the stub' }).click();
  const stub = panel.getByRole('listitem');
  await stub.getByText('limit=2', { exact: true }).waitFor();
  await stub.getByText('Breaks the contract: The body does not match its schema').waitFor();
  await page.getByText('1 stub', { exact: true }).waitFor();
  expect(await (await mock.send('GET', '/pets?limit=2')).text()).toBe(
    '[{"id":9007199254740993,"name":"Rex"}]',
  );
  await stub.getByText('used up (1 of 1)').waitFor();

  await panel.getByRole('button', { name: 'Edit stub-1' }).click();
  const edit = panel.getByRole('form', { name: 'Edit stub-1' });
  await edit.getByLabel('Number of requests').fill('');
  await edit.getByLabel('Query').fill('');
  await edit.getByLabel('Response body, as JSON').fill('');
  await edit.getByText('More options', { exact: true }).click();
  await edit.getByLabel('Name of the stub').fill('Broken');
  await edit.getByLabel('Response headers').fill('X-Own: a\nX-Other: b: c');
  await edit.getByLabel('Response body, as text').fill('not JSON');
  await edit.getByRole('button', { name: 'Save' }).click();
  await stub.getByText('Broken').waitFor();
  expect(await stub.count()).toBe(1);
  const response = await mock.send('GET', '/pets');
  expect([response.headers.get('x-other'), await response.text()]).toEqual(['b: c', 'not JSON']);
  await panel.getByRole('button', { name: 'Remove stub-1' }).click();
  await panel.getByText('No stubs.').waitFor();
});
