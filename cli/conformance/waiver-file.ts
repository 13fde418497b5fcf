import { readFile } from 'node:fs/promises';
import { type Waiver, readWaivers } from '../../conformance/index.ts';
import {
  type Contract,
  hasCode,
  JsonSyntaxError,
  parseJson,
  PetstoreError,
} from '../../contract/index.ts';

/** Reads the file of `--waivers`. Throws `PetstoreError` with its name, or the system's error. */
export async function readWaiverFile(contract: Contract, file: string): Promise<readonly Waiver[]> {
  const text = await readFile(file, 'utf8');
  try {
    return readWaivers(contract, parseJson(text));
  } catch (error) {
    if (hasCode(error, 'shape', 'waiver') || error instanceof JsonSyntaxError)
      throw new PetstoreError('waiver', `${file}: ${error.message}`, { cause: error });
    throw error;
  }
}
