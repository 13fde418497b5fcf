import { type Contract, loadContract } from '../../contract/index.ts';
import { packageFile } from './package-root.ts';
import { readPassed } from './passed.ts';

/**
 * Loads the document that a command is to work by: the file given, else the one of this package.
 * That one was validated before it was published, and is neither parsed nor validated again as long
 * as it is the recorded one.
 */
export async function loadChosenContract(file: string | undefined): Promise<Contract> {
  if (file !== undefined) return await loadContract({ file });
  const passed = await readPassed();
  return await loadContract(
    { file: packageFile('openapi.yaml') },
    passed === undefined ? {} : { passed: passed.contract },
  );
}
