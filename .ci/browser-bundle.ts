import { join } from 'node:path';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { memberOf, readProjectJson } from './manifest.ts';
import { projectRoot } from './project-files.ts';

/** Bundles a module for a browser, as a user's bundler does it with the published package. */
export async function bundleForBrowser(
  entry: string,
  plugins: readonly Plugin[] = [],
): Promise<RolldownOutput['output']> {
  const missing: string[] = [];
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [...plugins, replaceModules(readReplacements())],
    onLog: (_level, { code, message }) =>
      void (code === 'UNRESOLVED_IMPORT' && missing.push(message)),
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  const { output } = await bundle.generate({ format: 'esm', ...names });
  await bundle.close();
  if (missing.length > 0) throw new Error(missing.join('\n'));
  return output;
}

/** What `browser` of package.json replaces: paths in `dist/` there, of the source here. */
function readReplacements(): ReadonlyMap<string, string> {
  const field = Object.entries(Object(memberOf(readProjectJson('package.json'), 'browser')));
  return new Map(field.map(([from, to]) => [sourceOf(from), sourceOf(String(to))]));
}

function sourceOf(path: string): string {
  return join(projectRoot, path.replace('./dist/', '').replace(/\.js$/, '.ts'));
}

function replaceModules(replacements: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'browser-field',
    async resolveId(name, importer) {
      const found = await this.resolve(name, importer, { skipSelf: true });
      return found === null ? null : (replacements.get(found.id) ?? found);
    },
  };
}
