import { type JsonValue, isJsonObject } from '../../../contract/index.ts';
import type { Inventory } from '../../../client/index.ts';
import { readBundledSeed } from '../../package/bundled.ts';
import type { MockArguments } from './options.ts';
import { argumentError } from '../../io/command-failure.ts';
import { parseInput, readInput } from '../../input/file.ts';
import { inputLimits } from '../../../limits/index.ts';

/** The seed asked for; none for the document's own examples. Throws `PetstoreError`. */
export async function openSeed({ seed, contract }: MockArguments): Promise<Inventory> {
  if (seed === 'none') return { seed: {} };
  if (seed === undefined) return contract === undefined ? await readBundledSeed() : {};
  const value = parseJsonFile(seed, await readInput(seed, inputLimits.settingBytes));
  if (isJsonObject(value)) return { seed: value };
  throw argumentError(`${seed} must hold an object of arrays by collection path.`);
}

/** The text of a file as JSON. Throws `PetstoreError`. */
export function parseJsonFile(file: string, text: string): JsonValue {
  try {
    return parseInput(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    throw argumentError(`${file} is not valid JSON: ${reason}`, error);
  }
}
