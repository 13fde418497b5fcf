import { dirname, isAbsolute, join, relative } from 'node:path';
import { isJsonObject, type JsonObject, PetstoreError } from '../../contract/index.ts';
import type { ConfigFile } from './config-file.ts';
import { type FlagRow, type FlagRows, kindOf } from './flag-row.ts';
import type { GivenFlag, GivenFlags } from './given-flag.ts';
import type { Environment } from './variables.ts';

/** What a checked configuration file gives the flags of one command. */
export interface ConfigSection {
  readonly file: ConfigFile;
  readonly value: JsonObject;
  readonly env: Environment;
}

/**
 * The flags of a command that a file gives: those of its section, and of the options of all those
 * that the command has. `isWanted` says which flags nothing else gives. Throws `PetstoreError`.
 */
export function readSection(
  { file, value, env }: ConfigSection,
  command: string,
  rows: FlagRows,
  isWanted: (name: string) => boolean,
): GivenFlags {
  const section = value[command];
  const own = isJsonObject(section) ? section : {};
  const given = new Map<string, GivenFlag>();
  for (const [name, row] of Object.entries(rows).filter(([flag]) => isWanted(flag))) {
    // An option may have the name of a command, whose section is no value of it.
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

function listTexts(row: FlagRow, member: unknown, reading: Reading): readonly string[] {
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

/** A path of a file is relative to the file; words such as `none` and addresses are no paths. */
function placePath(text: string, { value = '' }: FlagRow, { path }: ConfigFile): string {
  const isPath = !value.split('|').includes(text) && !/^[a-z][a-z+.-]+:/i.test(text);
  if (!isPath || isAbsolute(text)) return text;
  const folder = relative('.', dirname(path));
  return folder === '' ? text : join(folder, text);
}

/** The secrets that stand in the file as texts, and in no variable. */
export function listOpenSecrets(
  rows: FlagRows,
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
