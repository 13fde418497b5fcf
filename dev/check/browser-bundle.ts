import { type OutputOptions, type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { browserJoin } from '../build/browser-build.ts';
import { placeModules } from '../build/module-join.ts';

/** Bundles a module for a browser, as a user's bundler does it with the published package. */
export async function bundleForBrowser(
  entry: string,
  plugins: readonly Plugin[] = [],
  options: OutputOptions = {},
): Promise<RolldownOutput['output']> {
  const missing: string[] = [];
  const { platform, replacements, define } = await browserJoin();
  const bundle = await rolldown({
    input: entry,
    platform,
    transform: { define },
    plugins: [...plugins, placeModules(replacements)],
    onLog: (_level, { code, message }) =>
      void (code === 'UNRESOLVED_IMPORT' && missing.push(message)),
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  const { output } = await bundle.generate({ format: 'esm', ...names, ...options });
  await bundle.close();
  if (missing.length > 0) throw new Error(missing.join('\n'));
  return output;
}
