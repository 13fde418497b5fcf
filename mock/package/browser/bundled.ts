import type { Contract } from '../../../contract/contract.ts';
import { isJsonObject, parseJson } from '../../../contract/json/value.ts';
import { loadContract } from '../../../contract/load.ts';

/** The build replaces these names with the texts of this package's files. */
declare const bundledDocument: string;
declare const bundledInventory: string;

/**
 * Replaces `bundled.ts` in browsers, where there are no files: the document is part of the code. Its
 * schemas are compiled at once, because a Worker may compile code only while it starts.
 */
export async function loadBundledContract(): Promise<Contract> {
  const source = { text: bundledDocument, name: 'openapi.yaml' };
  const contract = await loadContract(source, { validate: true });
  const inventory = parseJson(bundledInventory);
  return Object.assign(contract, isJsonObject(inventory) && { inventory });
}
