import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '../../../contract/index.ts';

/** The document of the control interface, as text and compiled. */
export interface ControlDocument {
  readonly text: string;
  readonly contract: Contract;
}

/** It lies with the source; modules and the joined command in `dist/` find it there too. */
const documentPlaces = ['../openapi.yaml', '../../../../mock/control/openapi.yaml'];

export async function loadControlDocument(): Promise<ControlDocument> {
  const text = await readFirst(
    documentPlaces.map((place) => fileURLToPath(new URL(place, import.meta.url))),
  );
  return {
    text,
    contract: await loadContract({ text, name: 'control/openapi.yaml' }, { validate: false }),
  };
}

async function readFirst([file, ...others]: readonly string[]): Promise<string> {
  if (file === undefined)
    throw new Error('The document of the control interface is not where it should be.');
  return await readFile(file, 'utf8').catch(async () => await readFirst(others));
}
