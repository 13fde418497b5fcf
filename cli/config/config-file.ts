import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { JsonSyntaxError, PetstoreError, readText, renderPointer } from '../../contract/index.ts';
import { parseInput, readInput } from '../input/file.ts';
import { inputLimits } from '../../limits/index.ts';

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
  if (!existsSync(path)) throw new PetstoreError('argument', `${path} does not exist.`);
  if (/\.[mc]?[jt]s$/.test(path)) {
    const place = (tokens: readonly string[]): string => `${name}: ${renderPointer(tokens)}`;
    const { importConfig } = await import('./module.ts');
    return { path, name, place, value: await importConfig(resolve(path), name) };
  }
  const text = await readInput(path, inputLimits.settingBytes);
  refuseSyntax(text, name);
  const { value, locate } = await readText(text, name);
  const place = (tokens: readonly string[]): string =>
    `${name}:${locate(tokens).line}: ${renderPointer(tokens)}`;
  return { path, name, place, value };
}

/** Throws `PetstoreError` for a text that is no JSON; it may be YAML, which is not meant here. */
function refuseSyntax(text: string, name: string): void {
  try {
    parseInput(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, reason } = error;
    const message = `${name}:${line}: This is no JSON: ${reason}.`;
    throw new PetstoreError('argument', message, { cause: error });
  }
}
