import { existsSync } from 'node:fs';
// A namespace import: Node versions without `registerHooks` would fail at a named import, before
// our message is printed.
import module from 'node:module';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readText } from '../../contract/source/text.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import { argumentError } from '../io/command-failure.ts';
import { readInput } from '../io/file.ts';

/** A configuration file that was read but not yet validated. */
export interface ConfigFile {
  readonly path: string;
  readonly value: unknown;
  /** Location in the file, for errors: `petstore.config.json:3: /mock/port`. */
  readonly place: (tokens: readonly string[]) => string;
}

/** Throws `PetstoreError` if the file cannot be read. */
export async function loadConfig(path: string): Promise<ConfigFile> {
  const name = basename(path);
  if (!existsSync(path)) throw argumentError(`${path} does not exist.`);
  if (/\.[mc]?[jt]s$/.test(path)) {
    const loaded = await importModule(resolve(path)).catch((error: unknown) => {
      throw argumentError(`${name} cannot be run: ${explain(error)}`, error);
    });
    if (!('default' in loaded))
      throw argumentError(`${name} has no default export. It must have export default { ... }.`);
    return { path, value: loaded.default, place: (tokens) => `${name}: ${renderPointer(tokens)}` };
  }
  const { value, locate, issues } = await readText(await readInput(path), 'config.json');
  for (const { message, place } of issues)
    throw argumentError(`${name}:${place?.line ?? 1}: This is not JSON: ${message}.`);
  const place = (tokens: readonly string[]): string =>
    `${name}:${locate(tokens).line}: ${renderPointer(tokens)}`;
  return { path, value, place };
}

/**
 * Runs a configuration file in TypeScript or JavaScript. It is always loaded as an ES module,
 * whatever the nearest package.json says, so that `export default` works everywhere.
 */
async function importModule(path: string): Promise<object> {
  const url = pathToFileURL(path).href;
  const hooks = module.registerHooks({
    load(address, context, next) {
      const isOwn = /\.m?ts$/.test(address) && !address.includes('/node_modules/');
      if (isOwn) return next(address, { ...context, format: 'module-typescript' });
      return next(address, address === url ? { ...context, format: 'module' } : context);
    },
  });
  try {
    return Object(await import(url));
  } finally {
    hooks.deregister();
  }
}

/** The reason in a sentence, with the line for a syntax error. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)}.`;
  const message = error.message
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[^.!?]$/, '$&.');
  const line = /^file:.*:(\d+)$/m.exec(error.stack?.split('\n')[0] ?? '')?.[1];
  return line === undefined ? message : `line ${line}: ${message}`;
}
