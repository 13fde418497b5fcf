import { hash } from 'node:crypto';
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

const { object, text } = codec;

/** What of this package passed validation when it was recorded by `npm run record`. */
type Passed = TypeOf<typeof passed>;

const passed = object({
  /** The digest is the SHA-256 of the text of `fixtures/inventory.json`. */
  inventory: object({ digest: text }),
  contract: object({ digest: text, document: codec.jsonObject }),
});

/**
 * Reads the record; undefined where there is none, and then everything is read from its source and
 * validated. It counts only for files with the digests in it.
 */
export async function readPassed(): Promise<Passed | undefined> {
  const record = await readFile(packageFile('fixtures/passed.json'), 'utf8').catch(() => undefined);
  return record === undefined ? undefined : passed.read(parseJson(record), '');
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
 * That one is neither parsed nor validated again as long as it is the recorded one.
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
  const known = await readPassed();
  return await loadContract(
    { file: packageFile('openapi.yaml') },
    { strict, overlays, ...(known && { passed: known.contract }) },
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
  const known = await readPassed();
  return known?.contract.digest === digest ? await readSeed(known) : {};
}

/** The inventory of this package. It is validated unless it is the recorded one. */
export async function readBundledSeed(): Promise<Inventory> {
  return await readSeed(await readPassed());
}

async function readSeed(known: Passed | undefined): Promise<Inventory> {
  const content = await readFile(packageFile('fixtures/inventory.json'), 'utf8');
  const seed = parseJson(content);
  const isSeedTrusted = known?.inventory.digest === hash('sha256', content);
  return isJsonObject(seed) ? { seed, isSeedTrusted } : {};
}
