import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { builtFolder } from './files.ts';

/** The library that shows the document in the page, with files of its own. */
export interface Reference {
  readonly available: boolean;
  /** What to install where it is missing. */
  readonly package: string;
  /** The text of one of its files; undefined for every other name. */
  read(name: string): Promise<string | undefined>;
}

const packageName = 'swagger-ui-dist';

/** The names that the page asks for; nothing else of the library is served. */
const files: ReadonlyMap<string, string> = new Map([
  ['reference/swagger-ui.js', 'swagger-ui-bundle.js'],
  ['reference/swagger-ui.css', 'swagger-ui.css'],
]);

/**
 * The library, where it is found.
 *
 * @param find its folder; by default in this package, then where Node finds packages
 */
export function findReference(find: () => string | undefined = findFolder): Reference {
  const folder = find();
  return {
    available: folder !== undefined,
    package: packageName,
    async read(name) {
      const file = files.get(name);
      if (folder === undefined || file === undefined) return undefined;
      return await readText(join(folder, file));
    },
  };
}

/** The build packs what is large. */
async function readText(file: string): Promise<string> {
  const packed = `${file}.gz`;
  return existsSync(packed)
    ? gunzipSync(await readFile(packed)).toString()
    : await readFile(file, 'utf8');
}

function findFolder(): string | undefined {
  return [builtFolder('reference'), installedFolder()].find(
    (folder) => folder !== undefined && existsSync(join(folder, 'swagger-ui.css')),
  );
}

function installedFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
  } catch {
    return undefined;
  }
}
