import { readFile } from 'node:fs/promises';
import type { OutputChunk } from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';
import type { PublishedEntries } from './manifest-entries.ts';
import { type ModuleJoin, joinModules } from './module-join.ts';

/** Modules that Node is needed for, and what takes their place where there is none. */
const replacements: ReadonlyMap<string, string> = new Map([
  ['contract/load.ts', 'contract/browser/load.ts'],
  ['contract/pattern/linear/engine.ts', 'contract/pattern/linear/browser.ts'],
  ['mock/integrations/node/server.ts', 'mock/integrations/node/browser/server.ts'],
  ['mock/integrations/handler/control.ts', 'mock/integrations/handler/browser/control.ts'],
  ['mock/integrations/start/bundled.ts', 'mock/integrations/start/browser/bundled.ts'],
]);

/** How modules are joined that need nothing of Node: for pages, service workers and workers. */
export async function browserJoin(): Promise<
  Required<Pick<ModuleJoin, 'platform' | 'replacements' | 'define'>>
> {
  return {
    platform: 'browser',
    replacements,
    define: {
      bundledDocument: await renderText('openapi.yaml'),
      bundledInventory: await renderText('fixtures/inventory.json'),
    },
  };
}

/** A file of the project as a text of JavaScript. */
async function renderText(path: string): Promise<string> {
  return JSON.stringify(await readFile(packageFile(path), 'utf8'));
}

/** The modules of the package that browsers and workers take, by `browser` in `exports`. */
export async function joinBrowser({
  modules,
  browserModules,
  packages,
}: PublishedEntries): Promise<readonly OutputChunk[]> {
  const sources = modules.filter((name) => browserModules.includes(`browser/${name}`));
  const { chunks } = await joinModules({
    ...(await browserJoin()),
    entries: Object.fromEntries(sources.map((name) => [`browser/${name}`, `${name}.ts`])),
    chunks: 'browser/chunks',
    packages,
    minify: true,
  });
  return chunks;
}
