import { expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import { loadChosenContract, readBundledSeed, readInventoryFor } from './bundled.ts';
import { packageFile } from './package-root.ts';

test('the inventory belongs to the document of this package only', async () => {
  const books = await loadChosenContract(packageFile('fixtures/documents/books.yaml'));
  expect(await readInventoryFor(books)).toEqual({});
  const bundled = await loadContract({ file: packageFile('openapi.yaml') });
  expect(await readInventoryFor(bundled)).toEqual(await readBundledSeed());
});

test('a document of the user is refused for its faults only where it is read strictly', async () => {
  const file = packageFile('fixtures/documents/odd/broken-reference.yaml');
  await expect(loadChosenContract(file, { strict: true })).rejects.toThrow('#/');
  expect((await loadChosenContract(file)).diagnostics).not.toEqual([]);
});
