import { readFile } from 'node:fs/promises';
import { type Contract, isJsonObject, loadContract, parseJson } from '../contract/index.ts';
import { packageFile } from './package-root.ts';

/**
 * Loads the document that a command is to work by: the file given, else the one of this package. That one was
 * validated before it was published, and is not validated again as long as its digest is the recorded one.
 */
export async function loadChosenContract(file: string | undefined): Promise<Contract> {
  if (file !== undefined) return await loadContract({ file });
  const passed = await readRecordedDigest();
  return await loadContract({ file: packageFile('openapi.yaml') }, passed === undefined ? {} : { passed });
}

/** The digest of the package's document when it last passed; undefined where none is recorded. */
export async function readRecordedDigest(): Promise<string | undefined> {
  const record = parseJson(await readFile(packageFile('fixtures/openapi-digest.json'), 'utf8'));
  const digest = isJsonObject(record) ? record['sha256'] : undefined;
  return typeof digest === 'string' ? digest : undefined;
}
