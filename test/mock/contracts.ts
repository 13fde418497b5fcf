import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, isJsonObject, parseJson } from '../../contract/json/value.ts';
import { loadContract } from '../../contract/load.ts';
import { readFile } from 'node:fs/promises';

/** The bundled document. */
export async function loadPetstore(): Promise<Contract> {
  return (await import('../contract/petstore.ts')).petstore;
}

/** The second document: another resource, other names, other limits. */
export async function loadBooks(): Promise<Contract> {
  return (await import('../contract/books.ts')).books;
}

/** A key and a self-signed certificate for `localhost`, `127.0.0.1` and `::1`, until 2126. */
export async function loadTlsIdentity(): Promise<{ readonly key: string; readonly cert: string }> {
  const [key = '', cert = ''] = await Promise.all(
    ['key', 'cert'].map((name) =>
      readFile(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8'),
    ),
  );
  return { key, cert };
}

/** The bundled inventory. */
export async function loadInventory(): Promise<JsonObject> {
  const file = new URL('../../fixtures/inventory.json', import.meta.url);
  const value = parseJson(await readFile(file, 'utf8'));
  if (!isJsonObject(value)) throw new Error('The inventory is not an object.');
  return value;
}

/** The bundled document under another title. */
export async function readPetstoreAgain(): Promise<Contract> {
  const text = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
  return await loadContract({
    text: text.replace('title: Petstore', 'title: Changed'),
    name: 'changed.yaml',
  });
}
