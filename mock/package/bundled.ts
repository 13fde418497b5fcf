import { readFile } from 'node:fs/promises';
import type { Contract } from '../../contract/contract.ts';
import { isJsonObject, parseJson } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { packageFile } from './package-file.ts';

/**
 * The bundled contract with its inventory, which every mock of it starts with. The document was validated
 * when it was published.
 */
export async function loadBundledContract(): Promise<Contract> {
  const contract = await loadContract({ file: packageFile('openapi.yaml') }, { validate: false });
  return await withInventory(contract);
}

/** The bundled contract with the initial items of its mocks. */
export async function withInventory(contract: Contract): Promise<Contract> {
  const inventory = parseJson(await readFile(packageFile('fixtures/inventory.json'), 'utf8'));
  return Object.assign(contract, isJsonObject(inventory) && { inventory });
}
