import {
  type Contract,
  type JsonObject,
  isJsonObject,
  loadContract,
  parseJson,
} from '../../contract/index.ts';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The bundled document. */
export async function loadPetstore(): Promise<Contract> {
  return await loadContract({ file: projectFile('openapi.yaml') });
}

/** The second document: another resource, other names, other limits. */
export async function loadBooks(): Promise<Contract> {
  return await loadContract({ file: projectFile('fixtures/documents/books.yaml') });
}

/** The bundled inventory. */
export async function loadInventory(): Promise<JsonObject> {
  const value = parseJson(await readFile(projectFile('fixtures/inventory.json'), 'utf8'));
  if (!isJsonObject(value)) throw new Error('The inventory is no object.');
  return value;
}

function projectFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
