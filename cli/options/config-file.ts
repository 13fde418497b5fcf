import { existsSync } from 'node:fs';
// As a whole: a Node without `registerHooks` would refuse the import before our message is printed.
import module from 'node:module';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PetstoreError, readText, renderPointer } from '../../contract/index.ts';
import { argumentError } from '../io/command-failure.ts';
import { readInput } from '../io/file.ts';

/** A configuration file that was read, and not yet checked. */
export interface ConfigFile {
  readonly path: string;
  /** As errors call it: the last part of its path. */
  readonly name: string;
  readonly value: unknown;
  /** A place in the file, for errors: `petstore.config.json:3: /mock/port`. */
  readonly place: (tokens: readonly string[]) => string;
}

/** The one that a command takes without being asked to: data, which runs nothing. */
export const usualConfig = 'petstore.config.json';

/** The names that configuration files have. */
const configNames: readonly string[] = [
  ...['ts', 'mts', 'js', 'mjs'].map((ending) => `petstore.config.${ending}`),
  usualConfig,
];

/** The names of the configuration files in this folder. */
export function listConfigs(): readonly string[] {
  return configNames.filter((name) => existsSync(name));
}

/** Throws `PetstoreError` for a file that cannot be read. */
export async function loadConfig(path: string): Promise<ConfigFile> {
  const name = basename(path);
  if (!existsSync(path)) throw argumentError(`${path} does not exist.`);
  if (/\.[mc]?[jt]s$/.test(path)) {
    const place = (tokens: readonly string[]): string => `${name}: ${renderPointer(tokens)}`;
    return { path, name, place, value: await importConfig(resolve(path), name) };
  }
  const text = await readInput(path);
  const { value, locate, issues } = await readText(text, 'config.json');
  for (const { reason, place: at } of issues)
    throw argumentError(`${name}:${at?.line ?? 1}: This is not JSON: ${reason}.`);
  const place = (tokens: readonly string[]): string =>
    `${name}:${locate(tokens).line}: ${renderPointer(tokens)}`;
  return { path, name, place, value };
}

/**
 * The default export of a configuration file in TypeScript or JavaScript. It is read as an ES
 * module whatever the package.json around it says, so that `export default` works everywhere.
 * Throws `PetstoreError` for a file that cannot be run.
 */
async function importConfig(path: string, name: string): Promise<unknown> {
  const url = pathToFileURL(path).href;
  const hooks = module.registerHooks({
    load(address, context, next) {
      const format = formatOf(address, url);
      return next(address, format === undefined ? context : { ...context, format });
    },
  });
  try {
    const loaded: unknown = await import(url);
    return defaultExportOf(loaded, name);
  } catch (error) {
    if (error instanceof PetstoreError) throw error;
    throw argumentError(`${name} cannot be run: ${explain(error)}`, error);
  } finally {
    hooks.deregister();
  }
}

/** What a module is read as: the file itself, and modules in TypeScript that it imports. */
function formatOf(address: string, config: string): string | undefined {
  if (/\.m?ts$/.test(address) && !address.includes('/node_modules/')) return 'module-typescript';
  return address === config ? 'module' : undefined;
}

function defaultExportOf(loaded: unknown, name: string): unknown {
  if (typeof loaded === 'object' && loaded !== null && 'default' in loaded) return loaded.default;
  throw argumentError(`${name} has no default export. It must have export default { ... }.`);
}

const types = `import type { Config } from 'petstore-contract/config'`;

/** The reason in a sentence; of an error in the text of the file also its line. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)}.`;
  const message = error.message.replaceAll(/\s+/g, ' ').trim();
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  const line = /^file:.*:(\d+)$/m.exec(error.stack?.split('\n')[0] ?? '')?.[1];
  const place = line === undefined ? '' : `line ${line}: `;
  const isMissing = 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  const remedy =
    isMissing && message.includes("'petstore-contract'")
      ? ` Install it here, or take only its types: ${types}.`
      : '';
  return `${place}${sentence}${remedy}`;
}
