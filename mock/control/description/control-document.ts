import { readFile } from 'node:fs/promises';
import { type Contract, loadContract } from '../../../contract/index.ts';
import { packageFile } from '../../package/package-file.ts';

/** The document of the control interface, as text and compiled. */
export interface ControlDocument {
  readonly text: string;
  readonly contract: Contract;
}

export async function loadControlDocument(): Promise<ControlDocument> {
  const text = await readFile(packageFile('mock/control/openapi.yaml'), 'utf8');
  return {
    text,
    contract: await loadContract({ text, name: 'control/openapi.yaml' }, { validate: false }),
  };
}
