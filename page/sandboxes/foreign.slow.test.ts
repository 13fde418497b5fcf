import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load.ts';
import { fixtureFile } from '../../test/contract/sample.ts';
import { findBarriers } from '../../test/page/accessibility.ts';
import { expect, test } from '../../test/page/test.ts';

async function loadDocument(name: string): Promise<Contract> {
  return await loadContract({ file: fixtureFile(name) });
}

test('pages and parts without content are not shown', async ({ startMock, openPage }) => {
  const mock = await startMock({ contract: await loadDocument('odd/no-resource.yaml') });
  const page = await openPage(mock, '#/sandboxes/limits');
  await page.getByRole('region', { name: 'Clock' }).waitFor();
  const parts = page.getByRole('navigation', { name: 'Parts of the sandbox' }).getByRole('link');
  expect(await parts.allInnerTexts()).toEqual([
    'Faults and stubs',
    'Limits and clock',
    'Snapshots',
  ]);
  expect(await page.getByRole('region', { name: 'Limits' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('nested collections appear with their parents, and are edited like others', async ({
  startMock,
  openPage,
}) => {
  const mock = await startMock({ contract: await loadDocument('shapes/nested.yaml') });
  const page = await openPage(mock, '#/sandboxes');
  const items = page.getByRole('region', { name: 'Items', exact: true });
  await items.getByRole('button', { name: 'Add an item' }).click();
  await items.getByRole('button', { name: 'Add', exact: true }).click();
  const collections = items.getByLabel('Collection');
  await collections.getByText('/hostels/3/beds (0)').waitFor({ state: 'attached' });
  await collections.selectOption('/hostels/3/beds');
  await items.getByRole('button', { name: 'Add an item' }).click();
  await items.getByRole('form', { name: 'Add to /hostels/3/beds' }).waitFor();
  await items.getByRole('button', { name: 'Add', exact: true }).click();
  await collections.getByText('/hostels/3/beds (1)').waitFor({ state: 'attached' });
  await items
    .getByRole('button', { name: /^Remove / })
    .last()
    .click();
  await collections.getByText('/hostels/3/beds (0)').waitFor({ state: 'attached' });
});

test('a callback is sent to a receiver, and its response is shown', async ({
  startMock,
  openPage,
}) => {
  const mock = await startMock({ contract: await loadDocument('shapes/callbacks-and-links.yaml') });
  const page = await openPage(mock, '#/sandboxes/webhooks');
  const webhooks = page.getByRole('region', { name: 'Webhooks' });
  await webhooks.getByText('rings', { exact: true }).click();
  await webhooks.getByRole('button', { name: 'Send' }).click();
  await webhooks.getByRole('alert').getByText(/url/i).waitFor();
  await webhooks.getByLabel(/^Receiver/).fill(`${mock.url}/nowhere`);
  await webhooks.getByRole('button', { name: 'Send' }).click();
  await webhooks.getByText(/responded with 404 in/).waitFor();
});
