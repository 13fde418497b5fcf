import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Contract, isJsonObject, loadContract, parseJson } from '../../../contract/index.ts';
import type { Seed } from '../../store/seed.ts';

/** The document of this package. It passed validation when it was published. */
function documentFile(): string {
  return createRequire(import.meta.url).resolve('petstore-contract/openapi.yaml');
}

/** The contract of this package. */
export async function loadBundledContract(): Promise<Contract> {
  return await loadContract({ file: documentFile() }, { validate: false });
}

/** The inventory of this package, for its own document. */
export async function loadBundledSeed(): Promise<Seed> {
  const value = parseJson(
    await readFile(join(dirname(documentFile()), 'fixtures/inventory.json'), 'utf8'),
  );
  return isJsonObject(value) ? value : {};
}
