import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/**
 * Makes every module that users import check the version of Node first. Without that an older Node
 * fails at whatever it lacks, with a message that does not mention the version.
 *
 * @param folder the JavaScript of the package: `dist`
 * @param modules relative to it and without `.js`
 */
export async function guardEntries(folder: string, modules: readonly string[]): Promise<void> {
  const guard = join(folder, 'node-guard.js');
  await writeFile(guard, renderGuard(manifest.engines.node.replace('>=', '')));
  for (const entry of modules) {
    const path = join(folder, `${entry}.js`);
    const from = relative(dirname(path), guard);
    const text = await readFile(path, 'utf8');
    await writeFile(path, `import '${from.startsWith('.') ? from : `./${from}`}';\n${text}`);
  }
}

/** A browser has no `process`, and none of its versions is too old. */
function renderGuard(least: string): string {
  return `const node = globalThis.process?.versions?.node;
if (node !== undefined && node.localeCompare('${least}', 'en', { numeric: true }) < 0)
  throw new Error(\`petstore-contract needs Node ${least} or newer, and this is Node \${node}.\`);
`;
}
