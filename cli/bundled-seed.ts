import { readFile } from 'node:fs/promises';
import { isJsonObject, parseJson } from '../contract/index.ts';
import type { Seed } from '../mock/index.ts';
import { packageFile } from './package-root.ts';

/** The inventory that comes with this package, for its own document. */
export async function readBundledSeed(): Promise<Seed | undefined> {
  const value = parseJson(await readFile(packageFile('fixtures/inventory.json'), 'utf8'));
  return isJsonObject(value) ? value : undefined;
}
