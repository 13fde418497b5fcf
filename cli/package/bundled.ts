import { readFile } from 'node:fs/promises';
import type { Inventory } from '../../client/index.ts';
import {
  type Contract,
  type TypeOf,
  codec,
  isJsonObject,
  loadContract,
  parseJson,
  PetstoreError,
} from '../../contract/index.ts';
import { packageFile } from './package-root.ts';

const validated = codec.object({ digest: codec.text, document: codec.jsonObject });

/**
 * The document of this package as the build has validated it, in `dist/validated.json`; undefined in a
 * checkout, where everything is read from its source and validated.
 */
async function readValidated(): Promise<TypeOf<typeof validated> | undefined> {
  if (import.meta.filename.endsWith('.ts')) return undefined;
  const text = await readFile(packageFile('dist/validated.json'), 'utf8');
  return validated.read(parseJson(text), '');
}

/** How a document is read; without these as far as it goes, and nothing else than its folder. */
export interface DocumentOptions {
  readonly strict?: boolean | undefined;
  readonly allowFolder?: readonly string[] | undefined;
  readonly overlay?: readonly string[] | undefined;
  readonly allowNetwork?: boolean | undefined;
}

/**
 * Loads the document that a command is to work by: the file given, else the one of this package.
 * The build has parsed and validated that one.
 */
export async function loadChosenContract(
  file: string | undefined,
  options: DocumentOptions = {},
): Promise<Contract> {
  const { strict = false, allowFolder: allowedFolders = [], allowNetwork = false } = options;
  const { overlay: overlays = [] } = options;
  if (file !== undefined) refuseAddress(file);
  if (file !== undefined)
    return await loadContract({ file }, { strict, allowedFolders, allowNetwork, overlays });
  const passed = await readValidated();
  return await loadContract(
    { file: packageFile('openapi.yaml') },
    { strict, overlays, ...(passed && { passed }) },
  );
}

/** Whether a word is a web address, or another one such as `ftp://host/file`. */
export function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word);
}

/** Throws `PetstoreError` for a document that is named by an address. */
export function refuseAddress(file: string): void {
  if (isAddress(file))
    throw new PetstoreError(
      'argument',
      `The document must be a file, not the address ${file}. Download it, and name the file.`,
    );
}

/** What the mock starts with: this package's inventory for its own document, else the examples. */
export async function readInventoryFor({ digest }: Contract): Promise<Inventory> {
  const bundled = await loadChosenContract(undefined);
  return bundled.digest === digest ? await readBundledSeed() : {};
}

/** The inventory of this package. It is validated unless the build did so. */
export async function readBundledSeed(): Promise<Inventory> {
  const seed = parseJson(await readFile(packageFile('fixtures/inventory.json'), 'utf8'));
  return isJsonObject(seed) ? { seed, isSeedTrusted: (await readValidated()) !== undefined } : {};
}
