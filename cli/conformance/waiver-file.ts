import { type Waiver, readWaivers, refuseUnbounded } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { findDuplicateMember } from '../../contract/json/scan.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { readJsonFile } from '../io/file.ts';

/**
 * Reads the file of `--waivers`; none without the option. Throws `PetstoreError` with the file's
 * name, or the system's error.
 */
export async function readWaiverFile(
  contract: Contract,
  file: string | undefined,
): Promise<readonly Waiver[]> {
  if (file === undefined) return [];
  return await readJsonFile(file, 'a list of waivers', (value, text) => {
    const twice = findDuplicateMember(text);
    if (twice !== undefined)
      throw new PetstoreError('waiver', `The object has the member "${twice}" twice.`);
    const waivers = readWaivers(contract, value);
    refuseUnbounded(contract, waivers, Date.now());
    return waivers;
  });
}
