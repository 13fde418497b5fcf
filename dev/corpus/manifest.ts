import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listOf, recordOf } from './json.ts';

/** A document of a folder. */
export interface CorpusDocument {
  readonly id: string;
  /** Absolute path. */
  readonly file: string;
  /** Its version as the manifest or its text says: `3.0.1`, `2.0`. */
  readonly openapi: string;
}

/** The documents that `manifest.json` lists; without one, all that say which OpenAPI they are. */
export async function listDocuments(folder: string): Promise<readonly CorpusDocument[]> {
  const names = await readdir(folder, { recursive: true });
  if (!names.includes('manifest.json')) return findDocuments(folder, names.toSorted());
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  return listOf(manifest)
    .map(recordOf)
    .map(({ id, file, openapi }) => ({
      id: String(id),
      file: resolve(folder, String(file)),
      openapi: String(openapi),
    }));
}

async function findDocuments(
  folder: string,
  names: readonly string[],
): Promise<readonly CorpusDocument[]> {
  const found: CorpusDocument[] = [];
  for (const name of names.filter((one) => /\.(ya?ml|json)$/.test(one))) {
    const file = resolve(folder, name);
    const version = versionIn(await readFile(file, 'utf8'));
    if (version === undefined) continue;
    const id = name.replace(/\.\w+$/, '').replaceAll(/[/\\]/g, '-');
    found.push({ id, file, openapi: version });
  }
  return found;
}

function versionIn(text: string): string | undefined {
  return /^[\s{]*["']?(?:openapi|swagger)["']?\s*:\s*["']?([\d.]+)/m.exec(text)?.[1];
}
