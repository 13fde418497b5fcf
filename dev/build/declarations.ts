import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/**
 * Removes the declarations that no published one leads to, and names the others in imports as the
 * JavaScript that they stand for.
 *
 * @param folder what `tsc` wrote
 * @param entries the published ones in it: `mock/index.d.ts`
 */
export async function keepDeclarations(folder: string, entries: readonly string[]): Promise<void> {
  const reached = new Set(entries.map(normalize));
  // What is reached on the way is visited too.
  for (const path of reached) {
    const text = await readFile(join(folder, path), 'utf8');
    for (const [, target = ''] of text.matchAll(localImport))
      reached.add(join(dirname(path), `${target}.d.ts`));
    await writeFile(join(folder, path), text.replaceAll(localImport, "'$1.js'"));
  }
  const written = await readdir(folder, { recursive: true });
  const others = written.filter((path) => path.endsWith('.d.ts') && !reached.has(path));
  for (const path of others) await rm(join(folder, path));
}

/** `'./other.ts'` after `from` or in `import()`. */
const localImport = /(?<=\b(?:from |import\(|import ))'(\.[^']*)\.ts'/g;
