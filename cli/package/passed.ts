import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type PassedDocument, isJsonObject, parseJson } from '../../contract/index.ts';
import { packageFile } from './package-root.ts';

/** What of this package passed validation when it was recorded by `npm run digest`. */
export interface Passed {
  /** SHA-256 of the text of `fixtures/inventory.json`. */
  readonly inventory: string;
  readonly contract: PassedDocument;
}

/**
 * Reads the record; undefined where there is none that can be used, and then everything is
 * validated.
 */
export async function readPassed(): Promise<Passed | undefined> {
  const record = parseJson(await readFile(packageFile('fixtures/passed.json'), 'utf8'));
  const { inventory, contract } = isJsonObject(record) ? record : {};
  if (!isJsonObject(inventory) || !isJsonObject(contract)) return undefined;
  const { digest, document } = contract;
  if (
    typeof inventory['digest'] !== 'string' ||
    typeof digest !== 'string' ||
    !isJsonObject(document)
  )
    return undefined;
  return { inventory: inventory['digest'], contract: { digest, document } };
}

/** SHA-256 of a text, in hex. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
