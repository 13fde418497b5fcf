import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';
import { argumentError } from '../io/command-failure.ts';
import { readInput } from '../io/file.ts';
import { listCommands } from './command-list.ts';
import type { ConfigFile } from './config-file.ts';
import {
  type CommandDefinition,
  type Flag,
  flagName,
  type FlagTable,
  type GivenFlag,
  type GivenFlags,
  kindOf,
  sharedFlags,
} from './flags.ts';

/** The configuration file that is read by default. It is only data, so reading it runs no code. */
export const defaultConfig = 'petstore.config.json';

/** The names of the configuration files in the current folder. */
export function listConfigs(): readonly string[] {
  const code = ['ts', 'mts', 'js', 'mjs'].map((ending) => `petstore.config.${ending}`);
  return [...code, defaultConfig].filter((name) => existsSync(name));
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings from the command line, the environment and the configuration file. */
interface Settings {
  readonly given: GivenFlags;
  /** Notes for the user, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Adds flags that are not on the command line: from the environment, else from the file given with
 * --config, else from the JSON file in the current folder. Code runs only if it is named
 * explicitly. Rejects with `PetstoreError`, or the system's error.
 */
export async function readSettings(
  definition: CommandDefinition,
  typed: GivenFlags,
  env: Environment,
): Promise<Settings> {
  if (definition.ignoresSettings) return { given: typed, notes: [] };
  const given = new Map(typed);
  for (const [name, flag] of listUnset(definition.flags, typed)) {
    const found = readVariable(definition.name, name, flag, env);
    if (found !== undefined) given.set(name, found);
  }
  const { path, notes } = chooseConfig(typed, definition);
  if (path !== undefined) {
    const { loadConfig } = await import('./config-file.ts');
    const file = await loadConfig(path);
    const members = listMembers(file, definition, listUnset(definition.flags, given));
    const names = members.map(({ name }) => name).join(', ');
    if (names !== '') notes.push(`options from ${path}: ${names}.`);
    for (const { name, flag, value, tokens } of members) {
      const place = file.place(tokens);
      given.set(name, { texts: textsOf(value, flag, tokens, { file, env }), name: place });
      // A configuration in code may have read the secret from the environment.
      const isOpen = typeof value === 'string' && !Object.values(env).includes(value);
      if (kindOf(flag) === 'secret' && isOpen)
        notes.push(
          `${place} is a secret. Use {"env": "NAME"} to read it from an environment variable.`,
        );
    }
  }
  await readSecretFiles(definition.flags, given);
  return { given, notes };
}

/** The flags that are not set. A secret and its file count as one: `apiKey`, `apiKeyFile`. */
function listUnset(flags: FlagTable, given: GivenFlags): readonly (readonly [string, Flag])[] {
  const names = new Set([...given.keys()].map((name) => name.replace(/File$/, '')));
  return Object.entries(flags).filter(([name]) => !names.has(name.replace(/File$/, '')));
}

/** The configuration file to read, and notes on files that are not read. */
function chooseConfig(typed: GivenFlags, { readsForeignFiles }: CommandDefinition) {
  const notes: string[] = [];
  if (typed.has('noConfig')) return { path: undefined, notes };
  const named = typed.get('config')?.texts.at(-1);
  if (named !== undefined) return { path: named, notes };
  const isUsual = (name: string): boolean => name === defaultConfig && !readsForeignFiles;
  for (const name of listConfigs())
    if (!isUsual(name)) notes.push(`${name} is not read. Use --config ${name} to read it.`);
  return { path: listConfigs().find(isUsual), notes };
}

/** `PETSTORE_CONFORM_READ_ONLY` for `readOnly` of the command `conform`. */
export function variableName(command: string, name: string): string {
  return `petstore_${command}_${flagName(name)}`.replaceAll('-', '_').toUpperCase();
}

/**
 * The value of a flag in the environment. Ignores empty variables, and URLs in place of numbers:
 * Kubernetes sets `PETSTORE_MOCK_PORT=tcp://10.0.0.1:80` in each pod if there is a service named
 * petstore-mock.
 */
function readVariable(
  command: string,
  flag: string,
  row: Flag,
  env: Environment,
): GivenFlag | undefined {
  for (const name of [variableName(command, flag), row.variable ?? '']) {
    const text = env[name] ?? '';
    if (text === '' || (kindOf(row) === 'integer' && text.startsWith('tcp://'))) continue;
    return { texts: row.many ? text.split(',').map((part) => part.trim()) : [text], name };
  }
  return undefined;
}

/**
 * The members of a configuration file for some flags of a command: from its section, else from the
 * shared options. Throws `PetstoreError` for the first unknown member.
 */
function listMembers(
  { value: config, place }: ConfigFile,
  { name: command, flags }: CommandDefinition,
  wanted: readonly (readonly [string, Flag])[],
) {
  const objectAt = (value: unknown, tokens: readonly string[]): JsonObject => {
    if (isJsonObject(value)) return value;
    throw argumentError(`${place(tokens)} must be an object.`);
  };
  const whole = objectAt(config, []);
  const shared = Object.keys(sharedFlags);
  const known = [...listCommands().map(([name]) => name), ...shared, '$schema'];
  const stray = Object.keys(whole).find((name) => !known.includes(name));
  if (stray !== undefined) {
    const isOwn = Object.hasOwn(flags, stray);
    const remedy = isOwn ? ` It belongs in ${command}.` : suggestName(stray, known);
    throw argumentError(`${place([stray])} is not a command or a shared option.${remedy}`);
  }
  const section = objectAt(whole[command] ?? {}, [command]);
  const unknown = Object.keys(section).find((name) => !Object.hasOwn(flags, name));
  if (unknown !== undefined) {
    const meant = suggestName(unknown, Object.keys(flags));
    throw argumentError(
      `${place([command, unknown])} is not an option of ${command}.${meant || ` See npx petstore-contract ${command} --help.`}`,
    );
  }
  return wanted.flatMap(([name, flag]) => {
    const isShared = section[name] === undefined && shared.includes(name);
    const value = isShared ? whole[name] : section[name];
    const tokens = isShared ? [name] : [command, name];
    return value === undefined ? [] : [{ name, flag, value, tokens }];
  });
}

/** A member as text, as on the command line. The flag's parser then validates it. */
function textsOf(
  value: unknown,
  flag: Flag,
  tokens: readonly string[],
  origin: { readonly file: ConfigFile; readonly env: Environment },
): readonly string[] {
  const { file, env } = origin;
  const kind = kindOf(flag);
  const textOf = (inner: unknown, token: string): string =>
    textsOf(inner, { ...flag, many: undefined }, [...tokens, token], origin).join();
  if (Array.isArray(value) && flag.many)
    return value.map((each: unknown, index) => textOf(each, `${index}`));
  if (isJsonObject(value) && kind === 'pair')
    return Object.entries(value).map(([name, each]) => `${name}=${textOf(each, name)}`);
  if (isJsonObject(value) && kind === 'secret')
    return [readSecretVariable(value, env, file.place(tokens))];
  if (typeof value === 'string') return [kind === 'path' ? resolvePath(value, flag, file) : value];
  if (['number', 'bigint', 'boolean'].includes(typeof value)) return [String(value)];
  const wanted = flag.many ? 'a list' : 'a string, a number, true or false';
  throw argumentError(`${file.place(tokens)} must be ${wanted}.`);
}

/** The value of the variable in `{ "env": "KEY" }`. */
function readSecretVariable({ env: name }: JsonObject, env: Environment, place: string): string {
  if (typeof name !== 'string') throw argumentError(`${place} must have the member env.`);
  const value = env[name] ?? '';
  if (value !== '') return value;
  throw argumentError(`${place} names the environment variable ${name}, which is not set.`);
}

/**
 * A relative path is relative to the configuration file; keywords such as `none` and URLs are not
 * paths.
 */
function resolvePath(text: string, { value = '' }: Flag, { path }: ConfigFile): string {
  const isPath = !value.split('|').includes(text) && !/^[a-z][a-z+.-]+:/i.test(text);
  return !isPath || isAbsolute(text) ? text : join(relative('.', dirname(path)), text);
}

/**
 * Adds to each secret flag one that reads it from a file, because all users of a machine can see
 * the arguments of its processes.
 */
export function addSecretFiles(flags: FlagTable): FlagTable {
  const all: Record<string, Flag> = {};
  for (const [name, flag] of Object.entries(flags)) {
    all[name] = flag;
    if (kindOf(flag) !== 'secret') continue;
    const variable = flag.variable === undefined ? undefined : `${flag.variable}_FILE`;
    const usual = variable === undefined ? '' : ` Default: ${variable}.`;
    all[`${name}File`] = {
      group: flag.group ?? 'Configuration',
      value: '<file>',
      variable,
      help: `Read --${flagName(name)} from a file of one line, so that it is not visible in the process list; - is standard input.${usual}`,
    };
  }
  return all;
}

/** Replaces file flags by the secrets in the files. */
async function readSecretFiles(flags: FlagTable, given: Map<string, GivenFlag>): Promise<void> {
  for (const [name, flag] of Object.entries(flags)) {
    const file = given.get(`${name}File`);
    if (file === undefined || kindOf(flag) !== 'secret') continue;
    const text = given.get(name);
    if (text !== undefined)
      throw argumentError(
        `${text.name} and ${file.name} both give the same secret. Use one of them.`,
      );
    const path = file.texts.at(-1) ?? '';
    const content = await readInput(path === '-' ? '/dev/stdin' : path);
    // Some editors begin a file with a byte order mark.
    const secret = content.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
    if (secret === '' || /[\p{Cc}\uFFFD]/u.test(secret))
      throw argumentError(
        `${file.name}: ${path} must contain one line of UTF-8 text without control characters, which can be sent in a header.`,
      );
    given.set(name, { texts: [secret], name: file.name });
  }
}
