import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, isJsonObject, parseJson } from '../../contract/json/value.ts';
import { readFile } from 'node:fs/promises';

/** The bundled document. */
export async function loadPetstore(): Promise<Contract> {
  return (await import('../contract/petstore.ts')).petstore;
}

/** The second document: another resource, other names, other limits. */
export async function loadBooks(): Promise<Contract> {
  return (await import('../contract/books.ts')).books;
}

/** The bundled inventory. */
export async function loadInventory(): Promise<JsonObject> {
  const file = new URL('../../fixtures/inventory.json', import.meta.url);
  const value = parseJson(await readFile(file, 'utf8'));
  if (!isJsonObject(value)) throw new Error('The inventory is not an object.');
  return value;
}
