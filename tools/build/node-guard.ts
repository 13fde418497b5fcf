import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { packageFile } from '../../cli/package/package-root.ts';
import { type JsonValue, isJsonObject, parseJson } from '../../contract/index.ts';

/**
 * Has every module that users import say first, where Node is too old for it, which one it needs.
 * Without that they get whatever fails first: a missing function, or that the document is no JSON.
 *
 * @param folder the JavaScript of the package: `dist`
 */
export async function guardEntries(folder: string): Promise<void> {
  const manifest = parseJson(await readFile(packageFile('package.json'), 'utf8'));
  const least = textOf(memberOf(memberOf(manifest, 'engines'), 'node')).replace('>=', '');
  const guard = join(folder, 'node-guard.js');
  await writeFile(guard, renderGuard(least));
  for (const entry of listEntries(memberOf(manifest, 'exports'))) {
    const path = join(folder, entry);
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

/** The modules that `exports` names, relative to `dist`. */
function listEntries(exports: JsonValue | undefined): readonly string[] {
  const targets = isJsonObject(exports) ? Object.values(exports) : [];
  return targets
    .map((target) => textOf(memberOf(target, 'default')))
    .filter((path) => path.endsWith('.js'))
    .map((path) => path.replace(/^\.\/dist\//, ''));
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
