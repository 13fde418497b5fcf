import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Contract, isJsonObject, parseJson } from '../../contract/index.ts';
import type { MockOptions } from '../../mock/index.ts';
import { packageFile } from './package-root.ts';
import { type Passed, readPassed } from './passed.ts';

/**
 * What the mock starts with for a contract: the inventory of this package for its own document,
 * else nothing but the document's examples.
 */
export async function readInventoryFor({
  digest,
}: Contract): Promise<Pick<MockOptions, 'seed' | 'isSeedTrusted'>> {
  const passed = await readPassed();
  return passed?.contract.digest === digest ? await readSeed(passed) : {};
}

/**
 * The inventory that comes with this package, for its own document. It is validated unless it is
 * the recorded one.
 */
export async function readBundledSeed(): Promise<Pick<MockOptions, 'seed' | 'isSeedTrusted'>> {
  return await readSeed(await readPassed());
}

async function readSeed(
  passed: Passed | undefined,
): Promise<Pick<MockOptions, 'seed' | 'isSeedTrusted'>> {
  const text = await readFile(packageFile('fixtures/inventory.json'), 'utf8');
  const seed = parseJson(text);
  const isSeedTrusted = passed?.inventory.digest === hash('sha256', text);
  return isJsonObject(seed) ? { seed, isSeedTrusted } : {};
}
