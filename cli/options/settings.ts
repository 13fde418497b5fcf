import { dirname, isAbsolute, join, relative } from 'node:path';
import { isJsonObject, type JsonObject, PetstoreError } from '../../contract/index.ts';
import { type ConfigFile, listConfigs, loadConfig, usualConfig } from './config-file.ts';
import { type Flag, type FlagTable, type GivenFlag, type GivenFlags, kindOf } from './flags.ts';
import { formsOf } from './secret-files.ts';

/** What the command line says of the configuration file. */
interface ConfigChoice {
  readonly file: string | undefined;
  /** Take none, also where there is one in this folder. */
  readonly isRefused: boolean;
  /** Read none from this folder: its files may come from other people. */
  readonly isForeignFolder: boolean;
}

/** What the command line leaves to the environment and to the configuration file. */
interface Settings {
  readonly given: GivenFlags;
  /** What the user is to know, in sentences. */
  readonly notes: readonly string[];
}

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
  const isTyped = (name: string): boolean => formsOf(rows, name).some((form) => typed.has(form));
  const read = [...readVariables(command, rows, env)];
  const variables: GivenFlags = new Map(read.filter(([name]) => !isTyped(name)));
  const { path, notes } = chooseConfig(choice);
  if (path === undefined) return { given: new Map([...variables, ...typed]), notes };
  const { checkConfig } = await import('./check-config.ts');
  const file = await loadConfig(path);
  const config = { file, value: await checkConfig(file), env };
  const isWanted = (name: string): boolean =>
    !isTyped(name) && !formsOf(rows, name).some((form) => variables.has(form));
  const section = readSection(config, command, rows, isWanted);
  const names = [...section.keys()];
  const taken = names.length === 0 ? [] : [`options from ${path}: ${names.join(', ')}.`];
  const open = listOpenSecrets(rows, section, config, command).map(
    (place) => `${place} is a secret. Use {"env": "NAME"} to read it from an environment variable.`,
  );
  return {
    given: new Map([...section, ...variables, ...typed]),
    notes: [...notes, ...taken, ...open],
  };
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

/** The environment of a process, which every variable may be missing in. */
type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment gives the flags of a command. Throws `PetstoreError`. */
function readVariables(command: string, rows: FlagTable, env: Environment): GivenFlags {
  const given = new Map<string, GivenFlag>();
  for (const [name, row] of Object.entries(rows)) {
    const found = [variableName(command, name), row.variable].find(
      (variable) => variable !== undefined && isMeant(row, env[variable]),
    );
    if (found !== undefined)
      given.set(name, { texts: readTexts(row, env[found] ?? '', found), name: found });
  }
  return given;
}

/** `PETSTORE_CONFORM_READ_ONLY` of `readOnly` of the command `conform`. */
export function variableName(command: string, name: string): string {
  const words = `petstore_${command}_${name}`.replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return words.replaceAll('-', '_').toUpperCase();
}

/**
 * An empty variable counts as none. So does an address in place of a number: Kubernetes gives each
 * pod `PETSTORE_MOCK_PORT=tcp://10.0.0.1:80` where a service is called petstore-mock.
 */
function isMeant(row: Flag, text: string | undefined): boolean {
  if (text === undefined || text === '') return false;
  return !(kindOf(row) === 'integer' && text.startsWith('tcp://'));
}

const switches: ReadonlyMap<string, string> = new Map([
  ['1', 'true'],
  ['true', 'true'],
  ['0', 'false'],
  ['false', 'false'],
]);

function readTexts(row: Flag, text: string, variable: string): readonly string[] {
  if (row.value !== undefined)
    return row.many ? text.split(',').map((part) => part.trim()) : [text];
  const isOn = switches.get(text.toLowerCase());
  if (isOn !== undefined) return [isOn];
  throw new PetstoreError('argument', `${variable} must be 1 or 0, not "${text}".`);
}

/** What a checked configuration file gives the flags of one command. */
interface ConfigSection {
  readonly file: ConfigFile;
  readonly value: JsonObject;
  readonly env: Environment;
}

/**
 * The flags of a command that a file gives: those of its section, and of the options of all those
 * that the command has. `isWanted` says which flags nothing else gives. Throws `PetstoreError`.
 */
function readSection(
  { file, value, env }: ConfigSection,
  command: string,
  rows: FlagTable,
  isWanted: (name: string) => boolean,
): GivenFlags {
  const section = value[command];
  const own = isJsonObject(section) ? section : {};
  const given = new Map<string, GivenFlag>();
  for (const [name, row] of Object.entries(rows).filter(([flag]) => isWanted(flag))) {
    // An option may have the name of a command, whose section is not its value.
    const shared = isJsonObject(value[name]) ? undefined : value[name];
    const [tokens, member] =
      own[name] === undefined ? [[name], shared] : [[command, name], own[name]];
    if (member === undefined) continue;
    const place = file.place(tokens);
    given.set(name, { texts: listTexts(row, member, { file, env, place }), name: place });
  }
  return given;
}

interface Reading {
  readonly file: ConfigFile;
  readonly env: Environment;
  readonly place: string;
}

function listTexts(row: Flag, member: unknown, reading: Reading): readonly string[] {
  const kind = kindOf(row);
  if (Array.isArray(member)) return member.flatMap((each) => listTexts(row, each, reading));
  if (kind === 'pair' && isJsonObject(member))
    return Object.entries(member).map(([name, value]) => `${name}=${textOf(value)}`);
  if (kind === 'secret' && isJsonObject(member)) return [readSecret(member['env'], reading)];
  const text = textOf(member);
  return [kind === 'path' ? placePath(text, row, reading.file) : text];
}

/** Of what the schema lets be: a text, a number or a switch. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value of the variable that a member names in place of a secret. */
function readSecret(variable: unknown, { env, place }: Reading): string {
  const value = typeof variable === 'string' ? env[variable] : undefined;
  if (value !== undefined && value !== '') return value;
  const message = `${place} names the environment variable ${String(variable)}, which is not set.`;
  throw new PetstoreError('argument', message);
}

/** A path of a file is relative to the file; words such as `none` and URLs are not paths. */
function placePath(text: string, { value = '' }: Flag, { path }: ConfigFile): string {
  const isPath = !value.split('|').includes(text) && !/^[a-z][a-z+.-]+:/i.test(text);
  if (!isPath || isAbsolute(text)) return text;
  const folder = relative('.', dirname(path));
  return folder === '' ? text : join(folder, text);
}

/** The secrets that the file contains as text, not as the name of a variable. */
function listOpenSecrets(
  rows: FlagTable,
  given: GivenFlags,
  { value, env }: ConfigSection,
  command: string,
): readonly string[] {
  const section = value[command];
  const known = new Set(Object.values(env));
  return [...given].flatMap(([name, { name: place }]) => {
    const member = isJsonObject(section) ? section[name] : undefined;
    const isOpen = typeof member === 'string' && !known.has(member);
    return kindOf(rows[name] ?? {}) === 'secret' && isOpen ? [place] : [];
  });
}
