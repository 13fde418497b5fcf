import { readFile } from 'node:fs/promises';
import { type InputOptions, type OutputChunk, type OutputOptions, rolldown } from 'rolldown';
import { packageFile } from '../../cli/package/package-root.ts';

/** Bundles modules with their imports, in memory. Throws for an unresolved import. */
export async function bundle(
  input: InputOptions,
  output: OutputOptions,
): Promise<readonly OutputChunk[]> {
  const missing: string[] = [];
  await using build = await rolldown({
    checks: { bundlerTimings: false },
    tsconfig: packageFile('page/tsconfig.json'),
    onLog: (_level, { code, message }) =>
      void (code === 'UNRESOLVED_IMPORT' && missing.push(message)),
    ...input,
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  const { output: files } = await build.generate({ format: 'esm', ...names, ...output });
  if (missing.length > 0) throw new Error(missing.join('\n'));
  return files.filter((file) => file.type === 'chunk');
}

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

/** Options to bundle modules without Node dependencies. */
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
