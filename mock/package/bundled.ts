import { readFile } from 'node:fs/promises';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, parseJson } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { packageFile } from './package-file.ts';

/**
 * The contract of this package, with its inventory: every mock of it starts with that. The document passed
 * validation when it was published.
 */
export async function loadBundledContract(): Promise<Contract> {
  const contract = await loadContract({ file: packageFile('openapi.yaml') }, { validate: false });
  return await withInventory(contract);
}

/** The contract of this package, with what its mocks start with. */
export async function withInventory(contract: Contract): Promise<Contract> {
  const inventory = parseJson(await readFile(packageFile('fixtures/inventory.json'), 'utf8'));
  return Object.assign(contract, isJsonObject(inventory) && { inventory });
}
