import { readFile } from 'node:fs/promises';
import { type JsonValue, isJsonObject, parseJson } from '../contract/index.ts';
import type { Seed } from '../mock/index.ts';
import { readBundledSeed } from './bundled-seed.ts';
import { ArgumentError } from './argument.ts';
import { type MockArguments } from './mock-arguments.ts';

/** The seed asked for; undefined where the document's own examples are to be used. Throws `ArgumentError`, or the system's error. */
export async function openSeed({ seed, contract }: MockArguments): Promise<Seed | undefined> {
  if (seed === 'none') return {};
  if (seed !== undefined) return parseSeed(seed, await readFile(seed, 'utf8'));
  return contract === undefined ? await readBundledSeed() : undefined;
}

function parseSeed(file: string, text: string): Seed {
  const value = parseSeedText(file, text);
  if (!isJsonObject(value)) throw new ArgumentError(`${file} must hold an object of arrays by collection path.`);
  return value;
}

function parseSeedText(file: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ArgumentError(`${file} is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`, { cause: error });
  }
}
