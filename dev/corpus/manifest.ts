import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listOf, recordOf } from './json.ts';

/** A document of a folder. */
export interface CorpusDocument {
  readonly id: string;
  /** Absolute path. */
  readonly file: string;
  /** The folder that its references may use. */
  readonly folder: string;
}

/** The documents listed in `manifest.json`; without one, all files with an OpenAPI version. */
export async function listDocuments(folder: string): Promise<readonly CorpusDocument[]> {
  const names = await readdir(folder, { recursive: true });
  if (!names.includes('manifest.json')) return findDocuments(folder, names.toSorted());
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  return listOf(manifest)
    .map(recordOf)
    .map(({ id, file }) => ({ id: String(id), file: resolve(folder, String(file)), folder }));
}

async function findDocuments(
  folder: string,
  names: readonly string[],
): Promise<readonly CorpusDocument[]> {
  const found: CorpusDocument[] = [];
  for (const name of names.filter((one) => /\.(ya?ml|json)$/.test(one))) {
    const file = resolve(folder, name);
    const id = name.replace(/\.\w+$/, '').replaceAll(/[/\\]/g, '-');
    if (version.test(await readFile(file, 'utf8'))) found.push({ id, file, folder });
  }
  return found;
}

const version = /^[\s{]*["']?(?:openapi|swagger)["']?\s*:\s*["']?[\d.]/m;
