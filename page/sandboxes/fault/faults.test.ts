import { expect, test } from '../../testing/test.ts';

test('a fault is added in plain words, counts, and is removed', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/sandboxes');
  const panel = page.getByRole('region', { name: 'Faults' });
  const form = panel.getByRole('form', { name: 'A new fault' });
  await form.getByLabel('Requests to').selectOption('listPets');
  await form.getByLabel('respond with status').fill('5o3');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  await form.getByText('The status is a whole number from 400 to 599.').waitFor();
  expect(await form.getByLabel('respond with status').inputValue()).toBe('5o3');
  await form.getByLabel('respond with status').fill('503');
  await form.getByLabel('times').fill('2');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  const fault = panel.getByRole('listitem');
  await fault.getByText('listPets responds 503.').waitFor();
  expect((await mock.send('GET', '/pets')).status).toBe(503);
  await fault.getByText('applied to 1 of 2').waitFor();
  await fault.getByRole('button', { name: 'Remove fault-1' }).click();
  await panel.getByText('No fault: the mock does what the document says.').waitFor();

  await form.getByText('More: connection, broken bodies, chance').click();
  await form.getByRole('combobox', { name: /^the body/ }).selectOption('malformed');
  await form.getByLabel('share of the requests, percent').fill('100');
  await form.getByRole('button', { name: 'Add the fault' }).click();
  await fault.getByText('Every operation sends a body that is no JSON.').waitFor();
  await panel.getByRole('button', { name: 'Remove all faults' }).click();
  await fault.waitFor({ state: 'detached' });
});
