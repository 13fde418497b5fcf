import { type Waiver, readWaivers, refuseUnbounded } from '../../conformance/index.ts';
import {
  type Contract,
  findDuplicateMember,
  hasCode,
  JsonSyntaxError,
  PetstoreError,
} from '../../contract/index.ts';
import { parseInput, readInput } from '../io/file.ts';
import { inputLimits } from '../../contract/limits/index.ts';

/** Reads the file of `--waivers`. Throws `PetstoreError` with its name, or the system's error. */
export async function readWaiverFile(contract: Contract, file: string): Promise<readonly Waiver[]> {
  const text = await readInput(file, inputLimits.settingBytes);
  try {
    const value = parseInput(text);
    const twice = findDuplicateMember(text);
    if (twice !== undefined)
      throw new PetstoreError('waiver', `the member "${twice}" stands twice in one object`);
    const waivers = readWaivers(contract, value);
    refuseUnbounded(contract, waivers, Date.now());
    return waivers;
  } catch (error) {
    if (hasCode(error, 'shape', 'waiver') || error instanceof JsonSyntaxError)
      throw new PetstoreError('waiver', `${file}: ${error.message}`, { cause: error });
    throw error;
  }
}
