import { expect, test } from 'vitest';
import { loadInventory } from '../../test/mock/contracts.ts';
import { loadChosenContract } from './bundled.ts';
import { packageFile } from './package-root.ts';

test('the inventory is used only with the bundled document', async () => {
  const books = await loadChosenContract(packageFile('fixtures/documents/books.yaml'));
  expect(books.inventory).toBeUndefined();
  for (const file of [undefined, packageFile('openapi.yaml')])
    expect((await loadChosenContract(file)).inventory).toEqual(await loadInventory());
});

test("errors in a user's document are fatal only in strict mode", async () => {
  const file = packageFile('fixtures/documents/odd/broken-reference.yaml');
  await expect(loadChosenContract(file, { strict: true })).rejects.toThrow('#/');
  expect((await loadChosenContract(file)).diagnostics).not.toEqual([]);
});
