import { readFile } from 'node:fs/promises';
import { type JsonValue, isJsonObject, parseJson } from '../../../contract/index.ts';
import type { MockOptions, Seed } from '../../../mock/index.ts';
import { readBundledSeed } from '../../package/bundled-seed.ts';
import { type MockArguments } from './options.ts';
import { argumentError } from '../../io/command-failure.ts';

/** The seed asked for; none for the document's own examples. Throws `PetstoreError`. */
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
    throw argumentError(`${file} must hold an object of arrays by collection path.`);
  return value;
}

function parseSeedText(file: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw argumentError(
      `${file} is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`,
      { cause: error },
    );
  }
}
