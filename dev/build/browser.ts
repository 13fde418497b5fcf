import { readFile } from 'node:fs/promises';
import type { InputOptions } from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';

/** Modules that need Node, and what replaces them for pages, service workers and workers. */
const replacements: ReadonlyMap<string, string> = new Map(
  [
    ['contract/load.ts', 'contract/browser/load.ts'],
    ['contract/pattern/linear-engine.ts', 'contract/pattern/linear-engine-browser.ts'],
    ['mock/integrations/node/server.ts', 'mock/integrations/node/browser/server.ts'],
    ['mock/integrations/handler/control.ts', 'mock/integrations/handler/browser/control.ts'],
    ['mock/package/bundled.ts', 'mock/package/browser/bundled.ts'],
  ].map(([from = '', to = '']) => [packageFile(from), packageFile(to)]),
);

/** How modules are bundled that need nothing of Node. */
export async function browserOptions() {
  return {
    platform: 'browser',
    transform: {
      target: 'es2024',
      define: {
        bundledDocument: await renderText('openapi.yaml'),
        bundledInventory: await renderText('fixtures/inventory.json'),
      },
    },
    plugins: [
      {
        name: 'replacements',
        async resolveId(name, importer) {
          const found = await this.resolve(name, importer, { skipSelf: true });
          return found === null ? null : (replacements.get(found.id) ?? found);
        },
      },
    ],
  } satisfies InputOptions;
}

/** A file of the project as a string literal of JavaScript. */
async function renderText(path: string): Promise<string> {
  return JSON.stringify(await readFile(packageFile(path), 'utf8'));
}
