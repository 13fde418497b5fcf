import { readFile } from 'node:fs/promises';
import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import { parseJson } from '../../contract/json/value.ts';
import { compilePassed, digestOf, loadContract, type PassedDocument } from '../../contract/load.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { withInventory } from '../../mock/package/bundled.ts';
import { packageFile } from './package-root.ts';

const validated = codec.object({ digest: codec.text, document: codec.jsonObject });

/**
 * The bundled document as the build has validated it, in `dist/validated.json`; undefined in a
 * checkout, where it is read from source and validated.
 */
async function readValidated(): Promise<PassedDocument | undefined> {
  if (import.meta.filename.endsWith('.ts')) return undefined;
  const text = await readFile(packageFile('dist/validated.json'), 'utf8');
  return validated.read(parseJson(text), '');
}

/**
 * How to read a document. By default, errors are repaired, and only files in its folder are read.
 */
export interface DocumentOptions {
  readonly strict?: boolean | undefined;
  readonly allowFolder?: readonly string[] | undefined;
  readonly overlay?: readonly string[] | undefined;
  readonly allowNetwork?: boolean | undefined;
}

/** Loads the given document, or the bundled one, which the build has parsed and validated. */
export async function loadChosenContract(
  file: string | undefined,
  options: DocumentOptions = {},
): Promise<Contract> {
  const { strict = false, allowFolder: allowedFolders = [], allowNetwork = false } = options;
  const { overlay: overlays = [] } = options;
  if (file !== undefined) refuseAddress(file);
  const own = packageFile('openapi.yaml');
  if (file === undefined) {
    const passed = overlays.length === 0 ? await readValidated() : undefined;
    const contract =
      passed === undefined
        ? await loadContract({ file: own }, { strict, overlays })
        : compilePassed(passed, 'openapi.yaml');
    return await withInventory(contract);
  }
  const how = { strict, allowedFolders, allowNetwork, overlays };
  const contract = await loadContract({ file }, how);
  const isOwn = contract.digest === (await digestOf([await readFile(own, 'utf8')]));
  return isOwn ? await withInventory(contract) : contract;
}

/** Whether a word is a URL, of any scheme. */
export function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word);
}

/** Throws `PetstoreError` for a document that is given as a URL. */
export function refuseAddress(file: string): void {
  if (isAddress(file))
    throw new PetstoreError(
      'argument',
      `The document must be a file, not the address ${file}. Download it, and pass the file.`,
    );
}
