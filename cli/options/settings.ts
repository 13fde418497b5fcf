import { dirname, isAbsolute, join, relative } from 'node:path';
import {
  isJsonObject,
  type JsonObject,
  type PetstoreError,
  suggestName,
} from '../../contract/index.ts';
import { inputLimits } from '../../contract/limits/index.ts';
import { commandNames } from './command-list.ts';
import { argumentError } from '../io/command-failure.ts';
import { readInput } from '../io/file.ts';
import { type ConfigFile, listConfigs, loadConfig, usualConfig } from './config-file.ts';
import {
  type Flag,
  flagName,
  type FlagTable,
  type GivenFlag,
  type GivenFlags,
  kindOf,
  sharedFlags,
} from './flags.ts';

/** What the command line says of the configuration file. */
interface ConfigChoice {
  readonly file: string | undefined;
  /** Take none, also where there is one in this folder. */
  readonly isRefused: boolean;
  /** Read none from this folder: its files may come from other people. */
  readonly isForeignFolder: boolean;
}

/** What the command line, the environment and the configuration file give. */
interface Settings {
  readonly given: GivenFlags;
  /** What the user is to know, in sentences. */
  readonly notes: readonly string[];
}

/** The environment of a process, which every variable may be missing in. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the flags that the command line does not give: from the environment, else from the file
 * that is named, else from the JSON file in this folder. Code runs only where it is named. Throws
 * `PetstoreError`.
 */
export async function readSettings(
  command: string,
  rows: FlagTable,
  typed: GivenFlags,
  choice: ConfigChoice,
  env: Environment,
): Promise<Settings> {
  const given = new Map(typed);
  const isTyped = listTaken(typed);
  for (const [name, row] of Object.entries(rows)) {
    const found = isTyped(name) ? undefined : readVariable(command, name, row, env);
    if (found !== undefined) given.set(name, found);
  }
  const { path, notes } = chooseConfig(choice);
  if (path === undefined) return { given, notes };
  const file = await loadConfig(path);
  const names: string[] = [];
  const isGiven = listTaken(given);
  const open: string[] = [];
  for (const { name, row, member, tokens } of listMembers(file, command, rows)) {
    if (isGiven(name)) continue;
    const place = file.place(tokens);
    names.push(name);
    given.set(name, { texts: listTexts(row, member, { file, env, tokens }), name: place });
    if (kindOf(row) === 'secret' && typeof member === 'string' && !isIn(env, member))
      open.push(
        `${place} is a secret. Use {"env": "NAME"} to read it from an environment variable.`,
      );
  }
  const taken = names.length === 0 ? [] : [`options from ${path}: ${names.join(', ')}.`];
  return { given, notes: [...notes, ...taken, ...open] };
}

/** Whether a flag is given. A secret and the file of it are one option: `apiKey`, `apiKeyFile`. */
function listTaken(given: GivenFlags): (name: string) => boolean {
  const taken = new Set([...given.keys()].map(secretOf));
  return (name) => taken.has(secretOf(name));
}

function secretOf(name: string): string {
  return name.replace(/File$/, '');
}

/** Code may take a value from the environment itself. */
function isIn(env: Environment, text: string): boolean {
  return Object.values(env).includes(text);
}

function chooseConfig({ file, isRefused, isForeignFolder }: ConfigChoice): {
  readonly path: string | undefined;
  readonly notes: readonly string[];
} {
  if (isRefused || file !== undefined) return { path: isRefused ? undefined : file, notes: [] };
  const there = listConfigs();
  const path = there.find((name) => name === usualConfig && !isForeignFolder);
  const notes = there
    .filter((name) => name !== path)
    .map((name) => `${name} is not read. Use --config ${name} to read it.`);
  return { path, notes };
}

/** `PETSTORE_CONFORM_READ_ONLY` of `readOnly` of the command `conform`. */
export function variableName(command: string, name: string): string {
  const words = `petstore_${command}_${name}`.replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return words.replaceAll('-', '_').toUpperCase();
}

const switches: ReadonlyMap<string, string> = new Map([
  ['1', 'true'],
  ['true', 'true'],
  ['0', 'false'],
  ['false', 'false'],
]);

/**
 * What the environment gives a flag. An empty variable counts as none. So does an address in place
 * of a number: Kubernetes gives each pod `PETSTORE_MOCK_PORT=tcp://10.0.0.1:80` where a service is
 * called petstore-mock. Throws `PetstoreError`.
 */
function readVariable(
  command: string,
  flag: string,
  row: Flag,
  env: Environment,
): GivenFlag | undefined {
  for (const name of [variableName(command, flag), row.variable]) {
    const text = name === undefined ? undefined : env[name];
    if (name === undefined || text === undefined || text === '') continue;
    if (kindOf(row) === 'integer' && text.startsWith('tcp://')) continue;
    if (row.value !== undefined)
      return { texts: row.many ? text.split(',').map((part) => part.trim()) : [text], name };
    const isOn = switches.get(text.toLowerCase());
    if (isOn === undefined) throw argumentError(`${name} must be 1 or 0, not "${text}".`);
    return { texts: [isOn], name };
  }
  return undefined;
}

/** A member of a configuration file that gives a flag. */
interface Member {
  readonly name: string;
  readonly row: Flag;
  readonly member: unknown;
  readonly tokens: readonly string[];
}

/**
 * What a configuration file gives the flags of a command: by its section, else by the options that
 * commands share. Throws `PetstoreError` for the first member that is unknown.
 */
function listMembers(
  { value, place }: ConfigFile,
  command: string,
  rows: FlagTable,
): readonly Member[] {
  const shared = Object.keys(sharedFlags);
  if (!isJsonObject(value)) throw wrongValue(place([]), 'an object', value);
  const [stranger] = unknownIn(value, [...commandNames, ...shared, '$schema']);
  if (stranger !== undefined) {
    const { name, meant } = stranger;
    const home = Object.hasOwn(rows, name) ? ` It belongs in ${command}.` : meant;
    throw argumentError(`${place([name])} is not a command or a shared option.${home}`);
  }
  const section = value[command] ?? {};
  if (!isJsonObject(section)) throw wrongValue(place([command]), 'an object', section);
  const [unknown] = unknownIn(section, Object.keys(rows));
  if (unknown !== undefined)
    throw argumentError(
      `${place([command, unknown.name])} is not an option of ${command}.${unknown.meant || ` See npx petstore-contract ${command} --help.`}`,
    );
  const members: Member[] = [];
  for (const [name, row] of Object.entries(rows)) {
    const above = shared.includes(name) ? value[name] : undefined;
    if (section[name] !== undefined)
      members.push({ name, row, member: section[name], tokens: [command, name] });
    else if (above !== undefined) members.push({ name, row, member: above, tokens: [name] });
  }
  return members;
}

/** The members that are not known, each with the question whether another was meant. */
function unknownIn(value: JsonObject, known: readonly string[]) {
  const names = Object.keys(value).filter((name) => !known.includes(name));
  return names.map((name) => ({ name, meant: suggestName(name, known) }));
}

function wrongValue(place: string, wanted: string, value: unknown): PetstoreError {
  return argumentError(`${place} must be ${wanted}, not ${nameValue(value)}.`);
}

function nameValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? `the string ${JSON.stringify(value)}` : String(value);
}

interface Place {
  readonly file: ConfigFile;
  readonly env: Environment;
  readonly tokens: readonly string[];
}

/** A member as the command line would give it. Throws `PetstoreError` for one of a wrong type. */
function listTexts(row: Flag, member: unknown, at: Place): readonly string[] {
  const isPair = kindOf(row) === 'pair';
  const within = (name: string | number): Place => ({ ...at, tokens: [...at.tokens, `${name}`] });
  if (!row.many) return [textOf(row, member, at)];
  if (Array.isArray(member))
    return member.map((each: unknown, index) => textOf(row, each, within(index)));
  if (isPair && isJsonObject(member))
    return Object.entries(member).map(
      ([name, value]) => `${name}=${textOf({ ...row, value: '<id>' }, value, within(name))}`,
    );
  const wanted = isPair ? 'an object or a list' : 'a list';
  throw wrongValue(at.file.place(at.tokens), wanted, member);
}

function textOf(row: Flag, value: unknown, { file, env, tokens }: Place): string {
  const kind = kindOf(row);
  const place = file.place(tokens);
  if (kind === 'secret' && isJsonObject(value)) return readSecretVariable(value, env, place);
  const isWhole = Number.isSafeInteger(value);
  if (kind === 'switch' && typeof value !== 'boolean')
    throw wrongValue(place, 'true or false', value);
  if (kind === 'integer' && !isWhole) throw wrongValue(place, 'a whole number', value);
  if (kind === 'id' && typeof value !== 'string' && !isWhole)
    throw wrongValue(place, 'a string or a whole number', value);
  if (kind === 'switch' || kind === 'integer' || kind === 'id') return String(value);
  if (typeof value !== 'string') throw wrongValue(place, 'a string', value);
  return kind === 'path' ? placePath(value, row, file) : value;
}

/** The value of the variable that a member names in place of a secret: `{ "env": "KEY" }`. */
function readSecretVariable({ env: name }: JsonObject, env: Environment, place: string): string {
  if (typeof name !== 'string') throw argumentError(`${place} must have env.`);
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw argumentError(`${place} names the environment variable ${name}, which is not set.`);
}

/** A path of a file is relative to the file; words such as `none` and URLs are not paths. */
function placePath(text: string, { value = '' }: Flag, { path }: ConfigFile): string {
  const isPath = !value.split('|').includes(text) && !/^[a-z][a-z+.-]+:/i.test(text);
  if (!isPath || isAbsolute(text)) return text;
  const folder = relative('.', dirname(path));
  return folder === '' ? text : join(folder, text);
}

/**
 * The flags of a command, with one more for each secret, which takes it from a file: arguments are
 * shown to everyone who may list the processes of a machine.
 */
export function addSecretFiles(rows: FlagTable): FlagTable {
  const all: Record<string, Flag> = {};
  for (const [name, row] of Object.entries(rows)) {
    all[name] = row;
    if (kindOf(row) !== 'secret') continue;
    const variable = row.variable === undefined ? undefined : `${row.variable}_FILE`;
    const usual = variable === undefined ? '' : ` Default: ${variable}.`;
    all[`${name}File`] = {
      group: row.group ?? 'Configuration',
      value: '<file>',
      variable,
      help: `Read --${flagName(name)} from a file of one line, so that it is not visible in the process list; - is standard input.${usual}`,
    };
  }
  return all;
}

/**
 * Puts the secrets of files in the place of their flags. Rejects with `PetstoreError`, also where a
 * secret is given in both forms, or with the system's error.
 */
export async function readSecretFiles(rows: FlagTable, given: GivenFlags): Promise<GivenFlags> {
  const all = new Map(given);
  for (const [name, row] of Object.entries(rows)) {
    const file = given.get(`${name}File`);
    if (file === undefined || kindOf(row) !== 'secret') continue;
    const text = given.get(name);
    if (text !== undefined)
      throw argumentError(
        `${text.name} and ${file.name} both give the same secret. Use one of them.`,
      );
    all.set(name, await readSecret(file));
  }
  return all;
}

async function readSecret({ texts, name }: GivenFlag): Promise<GivenFlag> {
  const path = texts.at(-1) ?? '';
  const text = await readInput(path === '-' ? '/dev/stdin' : path, inputLimits.settingBytes);
  // Some editors begin a file with a byte order mark.
  const secret = text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  if (secret === '') throw argumentError(`${name}: ${path} is empty.`);
  if (/[\r\n]/.test(secret)) throw argumentError(`${name}: ${path} must have one line only.`);
  if (/[\p{Cc}\uFFFD]/u.test(secret))
    throw argumentError(
      `${name}: ${path} contains control characters or is not UTF-8, so it cannot be sent in a header.`,
    );
  return { texts: [secret], name };
}
