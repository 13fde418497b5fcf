import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { builtFolder } from './files.ts';

/** The library that shows the document in the page, with a script of its own. */
export interface Reference {
  readonly available: boolean;
  /** What to install where it is missing. */
  readonly package: string;
  /** The text of its script; undefined for every other name. */
  read(name: string): Promise<string | undefined>;
}

const packageName = 'swagger-ui-dist';

/** What the page asks for; nothing else of the library is served. The page has its own style for it. */
const scriptName = 'reference/swagger-ui.js';
const script = 'swagger-ui-bundle.js';

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
      if (folder === undefined || name !== scriptName) return undefined;
      return await readText(join(folder, script));
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
    (folder) => folder !== undefined && existsSync(join(folder, `${script}.LICENSE.txt`)),
  );
}

function installedFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
  } catch {
    return undefined;
  }
}
