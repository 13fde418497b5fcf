import type { OutputChunk, OutputOptions, Plugin } from 'rolldown';
import { browserOptions } from '../build/browser.ts';
import { bundle } from '../build/bundle.ts';

/** Bundles a module for a browser, as a user's bundler does it with the published package. */
export async function bundleForBrowser(
  entry: string,
  plugins: readonly Plugin[] = [],
  output: OutputOptions = {},
): Promise<readonly OutputChunk[]> {
  const options = await browserOptions();
  const input = { ...options, input: entry, plugins: [...plugins, ...options.plugins] };
  return await bundle(input, output);
}
