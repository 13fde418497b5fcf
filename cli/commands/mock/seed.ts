import { readFile } from 'node:fs/promises';
import { type JsonValue, isJsonObject, parseJson, PetstoreError } from '../../../contract/index.ts';
import type { MockOptions, Seed } from '../../../mock/index.ts';
import { readBundledSeed } from '../../package/bundled-seed.ts';
import { type MockArguments } from './options.ts';

/**
 * The seed asked for; none where the document's own examples are to be used. Throws
 * `PetstoreError`, or the system's error.
 */
export async function openSeed({
  seed,
  contract,
}: MockArguments): Promise<Pick<MockOptions, 'seed' | 'isSeedTrusted'>> {
  if (seed === 'none') return { seed: {} };
  if (seed !== undefined) return { seed: parseSeed(seed, await readFile(seed, 'utf8')) };
  return contract === undefined ? await readBundledSeed() : {};
}

function parseSeed(file: string, text: string): Seed {
  const value = parseSeedText(file, text);
  if (!isJsonObject(value))
    throw new PetstoreError(
      'argument',
      `${file} must hold an object of arrays by collection path.`,
    );
  return value;
}

function parseSeedText(file: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new PetstoreError(
      'argument',
      `${file} is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`,
      { cause: error },
    );
  }
}
