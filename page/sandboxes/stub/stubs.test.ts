import { expect, test } from '../../testing/test.ts';

test('a stub is added in plain words, is judged, counts, and is removed', async ({
  mock,
  openPage,
}) => {
  const page = await openPage(mock, '#/sandboxes');
  const panel = page.getByRole('region', { name: 'Stubs' });
  const form = panel.getByRole('form', { name: 'A new stub' });
  await form.getByLabel('Requests to').selectOption('listPets');
  await form.getByLabel('query').fill('limit=2');
  await form.getByLabel('respond with status').fill('99');
  await form.getByRole('button', { name: 'Add the stub' }).click();
  await form.getByText('The status is a whole number from 200 to 599.').waitFor();
  await form.getByLabel('respond with status').fill('200');
  await form.getByLabel('times').fill('1');
  await form.getByLabel('with the body').fill('[{"id":9007199254740993,"name":"Rex"}]');
  await form.getByRole('button', { name: 'Add the stub' }).click();
  const stub = panel.getByRole('listitem');
  await stub.getByText('listPets, query limit: 200 with a body of its own.').waitFor();
  await stub.getByText('Breaks the contract: The body breaks its schema').waitFor();
  await stub.getByText('used 0 of 1').waitFor();
  await page.getByText('1 stub', { exact: true }).waitFor();
  expect(await (await mock.send('GET', '/pets?limit=2')).text()).toBe(
    '[{"id":9007199254740993,"name":"Rex"}]',
  );
  await stub.getByText('used 1 of 1, spent').waitFor();
  await stub.getByRole('button', { name: 'Remove stub-1' }).click();
  await panel.getByText('No stub: every request goes to the mock.').waitFor();

  await form.getByText('More: name, example, headers').click();
  await form.getByLabel('name of the stub').fill('Broken');
  await form.getByLabel('header fields').fill('X-Own: a\nX-Other: b: c');
  await form.getByLabel('with the body').fill('no JSON');
  await form.getByRole('button', { name: 'Add the stub' }).click();
  await stub.getByText('Broken').waitFor();
  const response = await mock.send('GET', '/pets');
  expect([response.headers.get('x-other'), await response.text()]).toEqual(['b: c', 'no JSON']);
  await panel.getByRole('button', { name: 'Remove all stubs' }).click();
  await stub.waitFor({ state: 'detached' });
});

test('a request of the log becomes a stub, and says so', async ({ mock, openPage }) => {
  const page = await openPage(mock, '#/requests');
  await mock.send('GET', '/pets/1');
  const row = page.getByRole('row', { name: /GET \/v1\/pets\/1/ });
  await row.click();
  await page.getByRole('button', { name: 'Make this a stub' }).click();
  const form = page.getByRole('form', { name: 'A new stub' });
  expect(await form.getByLabel('path').inputValue()).toBe('/v1/pets/1');
  expect(await form.getByLabel('with the body').inputValue()).toContain('"id":1');
  await form.getByLabel('with the body').fill('{"id":1,"name":"Stubbed","categoryId":1}');
  await form.getByRole('button', { name: 'Add the stub' }).click();
  await page.getByText('See it under Sandboxes').waitFor();
  expect(await (await mock.send('GET', '/pets/1')).text()).toContain('Stubbed');
  await page.locator('abbr[title="a stub answered"]').first().waitFor();
});
