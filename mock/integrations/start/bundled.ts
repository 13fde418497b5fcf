import { readFile } from 'node:fs/promises';
import { type Contract, isJsonObject, loadContract, parseJson } from '../../../contract/index.ts';
import { packageFile } from '../../package/package-file.ts';
import type { Seed } from '../../items/seed.ts';

/** The contract of this package. Its document passed validation when it was published. */
export async function loadBundledContract(): Promise<Contract> {
  return await loadContract({ file: packageFile('openapi.yaml') }, { validate: false });
}

/** The inventory of this package, for its own document. */
export async function loadBundledSeed(): Promise<Seed> {
  const value = parseJson(await readFile(packageFile('fixtures/inventory.json'), 'utf8'));
  return isJsonObject(value) ? value : {};
}
