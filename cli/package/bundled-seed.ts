import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Contract, isJsonObject, parseJson } from '../../contract/index.ts';
import type { Inventory } from '../../client/index.ts';
import { packageFile } from './package-root.ts';
import { type Passed, readPassed } from './passed.ts';

/** What the mock starts with: this package's inventory for its own document, else the examples. */
export async function readInventoryFor({ digest }: Contract): Promise<Inventory> {
  const passed = await readPassed();
  return passed?.contract.digest === digest ? await readSeed(passed) : {};
}

/** The inventory of this package. It is validated unless it is the recorded one. */
export async function readBundledSeed(): Promise<Inventory> {
  return await readSeed(await readPassed());
}

async function readSeed(passed: Passed | undefined): Promise<Inventory> {
  const text = await readFile(packageFile('fixtures/inventory.json'), 'utf8');
  const seed = parseJson(text);
  const isSeedTrusted = passed?.inventory.digest === hash('sha256', text);
  return isJsonObject(seed) ? { seed, isSeedTrusted } : {};
}
