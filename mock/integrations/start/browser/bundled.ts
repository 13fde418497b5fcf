import {
  type Contract,
  isJsonObject,
  loadContract,
  parseJson,
} from '../../../../contract/index.ts';
import type { Seed } from '../../../items/seed.ts';

/** The build puts the texts of this package's files in place of these names. */
declare const bundledDocument: string;
declare const bundledInventory: string;

/**
 * Takes the place of `bundled.ts` where there are no files: the document came with the code. Its
 * schemas are compiled at once, as a Worker may compile code only while it starts.
 */
export async function loadBundledContract(): Promise<Contract> {
  return await loadContract({ text: bundledDocument, name: 'openapi.yaml' }, { validate: true });
}

/** The inventory of this package, for its own document. */
export function loadBundledSeed(): Promise<Seed> {
  const value = parseJson(bundledInventory);
  return Promise.resolve(isJsonObject(value) ? value : {});
}
