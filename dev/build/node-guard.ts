import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { PublishedEntries } from './manifest-entries.ts';

/**
 * Has every module that users import say first, where Node is too old for it, which one it needs.
 * Without that they get whatever fails first: a missing function, or that the document is no JSON.
 *
 * @param folder the JavaScript of the package: `dist`
 */
export async function guardEntries(
  folder: string,
  { node, modules }: PublishedEntries,
): Promise<void> {
  const guard = join(folder, 'node-guard.js');
  await writeFile(guard, renderGuard(node));
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
