import { readFile } from 'node:fs/promises';
import type { Contract } from '../../../contract/contract.ts';
import { loadContract } from '../../../contract/load.ts';

/** The bundled document under another title. */
export async function readPetstoreAgain(): Promise<Contract> {
  const text = await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8');
  return await loadContract({
    text: text.replace('title: Petstore', 'title: Changed'),
    name: 'changed.yaml',
  });
}
