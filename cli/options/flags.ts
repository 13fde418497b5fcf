import type { CommandName } from './command-list.ts';
import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import { argumentError } from '../io/command-failure.ts';

/** A flag of a command. Its key in the table is its name: `readOnly` is `--read-only`. */
export interface Flag {
  /** The value as the help shows it: `<file>`. None for a switch. */
  readonly value?: string;
  /** The text that is read if the flag is not given; without a default, the value is undefined. */
  readonly default?: string;
  /** Whether it can be repeated: the values are a list. */
  readonly many?: true | undefined;
  /** Help text; the default is added to it. */
  readonly help: string;
  /** Parses the value; errors name the flag. Throws `PetstoreError`. */
  readonly read?: (text: string, flag: string) => unknown;
  /** Minimum and maximum of a whole number. */
  readonly bounds?: readonly [least: number, most: number];
  /** Factor for the number: 1000 if seconds are converted to milliseconds. */
  readonly unit?: number;
  /** The only values that are allowed. */
  readonly words?: readonly string[];
  /** Environment variable that sets it for every command: `PETSTORE_API_KEY`. */
  readonly variable?: string | undefined;
  /** Heading in `--help all`. `--help` shows only flags without one. */
  readonly group?: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;

export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>;
};

type ValueOf<Row extends Flag> = Row extends { readonly value: string }
  ? Row extends { readonly many: true }
    ? readonly TextOf<Row>[]
    : TextOf<Row> | (Row extends { readonly default: string } ? never : undefined)
  : boolean;

type TextOf<Row extends Flag> = Row extends { readonly read: (...given: never[]) => infer Value }
  ? Value
  : Row extends { readonly bounds: readonly unknown[] }
    ? number
    : Row extends { readonly words: readonly (infer Word)[] }
      ? Word
      : Row extends { readonly value: `<${string}>=<${string}>`; readonly many: true }
        ? readonly [name: string, value: string]
        : string;

/** The value of a flag from the command line, the environment or the configuration file. */
export interface GivenFlag {
  /** As on a command line; `true`, `false`, `1` or `0` for a switch. */
  readonly texts: readonly string[];
  /** Its name in errors: `--port`, `PETSTORE_MOCK_PORT`, `petstore.config.json:3: /mock/port`. */
  readonly name: string;
}

/** By the name of the flag in its table: `readOnly`. */
export type GivenFlags = ReadonlyMap<string, GivenFlag>;

/** The kind of value that a flag takes, derived from its placeholder. */
export type ValueKind = 'switch' | 'integer' | 'id' | 'pair' | 'path' | 'secret' | 'text';

export function kindOf({ value, many, bounds }: Flag): ValueKind {
  if (value === undefined) return 'switch';
  if (bounds !== undefined) return 'integer';
  // `<key>` in a list means keys that a mock accepts, which are not secret.
  if (!many && /^<(key|token)>$/.test(value)) return 'secret';
  if (/<(file|folder)>/.test(value)) return 'path';
  if (many && /^<.+>=<.+>$/.test(value)) return 'pair';
  return value === '<id>' ? 'id' : 'text';
}

/** The default of a flag; undefined if it has no single default. */
export function defaultOf(flag: Flag): string | number | undefined {
  if (flag.default === undefined) return undefined;
  return kindOf(flag) === 'integer' ? Number(flag.default) : flag.default;
}

/** The help text of a flag, with its default. */
export function helpOf({ help, default: usual }: Flag): string {
  return usual === undefined ? help : `${help} Default: ${usual}.`;
}

export interface CommandDefinition<Table extends FlagTable = FlagTable> {
  readonly name: CommandName;
  /**
   * Arguments as the usage line shows them: `<certificate.json> [options]`, `<report> [<report>
   * ...] [options]`. Each word in `<>` is one argument.
   */
  readonly usage: string;
  /**
   * Flags that positional arguments set: `petstore mock my.yaml`. A URL sets the first that takes a
   * `<url>`, any other word the first that takes a `<file>`.
   */
  readonly operands?: readonly string[];
  /** Examples for the help: arguments, and what the command then does. */
  readonly examples: readonly (readonly [words: string, effect: string])[];
  /** Its documentation: a file in `docs/`. */
  readonly page: string;
  /** What it does, in paragraphs; indented lines keep their layout. */
  readonly description: readonly string[];
  readonly flags: Table;
  /** What exit codes 0 and 1 mean; the help adds code 2. */
  readonly exitCodes: readonly [zero: string, one?: string];
  /** It ignores the environment and configuration files. */
  readonly ignoresSettings?: true;
  /** It reads foreign files, so it ignores the configuration file in the current folder. */
  readonly readsForeignFiles?: true;
}

/** A parsed command line. */
export interface CommandLine<Table extends FlagTable> {
  readonly values: FlagValues<Table>;
  /** Names of the flags that are on the command line itself. */
  readonly typed: ReadonlySet<string>;
  /** Positional arguments. */
  readonly words: readonly string[];
  /** Arguments after `--`. */
  readonly command: readonly string[];
}

/** All flags of a command, including those that every command has. */
export function listFlags({
  flags,
  ignoresSettings,
  readsForeignFiles,
}: CommandDefinition): FlagTable {
  const help = { help: 'Show this text.' };
  if (ignoresSettings) return { ...flags, help };
  const usual = readsForeignFiles ? 'none' : 'petstore.config.json in the current folder';
  const config = {
    group: 'Configuration',
    value: '<file>',
    help: `Read options from this file: JSON, or TypeScript or JavaScript, which is run. --no-<option> overrides an option that the file turns on. Default: ${usual}.`,
  };
  const noConfig = { group: 'Configuration', help: 'Read no configuration file.' };
  return { ...flags, config, noConfig, help };
}

/** Reads the values of a command's flags, wherever they were set. Throws `PetstoreError`. */
export function readValues<Table extends FlagTable>(
  flags: Table,
  given: GivenFlags,
): FlagValues<Table>;
export function readValues(flags: FlagTable, given: GivenFlags): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, readFlag(name, flag, given.get(name))]),
  );
}

/** `readOnly` as on a command line, without dashes: `read-only`. */
export function flagName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function readFlag(name: string, flag: Flag, given: GivenFlag | undefined): unknown {
  const texts = given?.texts ?? (flag.default === undefined ? [] : [flag.default]);
  const origin = given?.name ?? `--${flagName(name)}`;
  const { value, many, read = (text: string) => readText(text, flag, origin) } = flag;
  if (value === undefined) return readSwitch(texts.at(-1) ?? 'false', origin);
  const values = texts.map((text) => read(text, origin));
  return many ? values : values.at(-1);
}

function readSwitch(text: string, origin: string): boolean {
  const word = text.toLowerCase();
  if (['true', '1', 'false', '0'].includes(word)) return word === 'true' || word === '1';
  throw argumentError(`${origin} must be true or false, not "${text}".`);
}

function readText(text: string, flag: Flag, origin: string): unknown {
  const { value, bounds, unit = 1, words } = flag;
  if (bounds !== undefined) return readWhole(text, bounds, origin) * unit;
  if (words !== undefined && !words.includes(text)) throw wrong(text, words.join(' or '), origin);
  if (kindOf(flag) !== 'pair') return text;
  const [, name, given] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || given === undefined) throw wrong(text, `${value}`, origin);
  return [name, given];
}

/** Reads a whole number within inclusive bounds. Errors name the flag. */
export function readWhole(
  text: string,
  [least, most]: readonly [least: number, most: number],
  flag: string,
): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw wrong(text, `a whole number from ${least} to ${most}`, flag);
}

function wrong(text: string, wanted: string, flag: string): PetstoreError {
  return argumentError(`${flag} must be ${wanted}, not "${text}".`);
}

/** A whole number within inclusive bounds. */
export function whole(least: number, most: number) {
  return { value: '<number>', bounds: [least, most] } as const;
}

/** Seconds, up to an hour, as milliseconds. */
export const seconds = { value: '<seconds>', bounds: [1, 3600], unit: 1000 } as const;

export function oneOf<Word extends string>(...words: readonly Word[]) {
  return { value: words.join('|'), words };
}

/** Names and values, separated by an equals sign. */
export function pairs<const Value extends `<${string}>=<${string}>`>(value: Value) {
  return { value, many: true } as const;
}

export function nonEmpty(text: string, flag: string): string {
  if (text === '') throw argumentError(`${flag} must not be empty.`);
  return text;
}

/** Options of every command that reads a document. */
export const sharedFlags = {
  contract: { value: '<file>', help: 'OpenAPI document. Default: the bundled openapi.yaml.' },
  strict: {
    group: 'Document',
    help: 'Refuse a document that has an error. Default: leave out the parts with errors; the lint command lists them.',
  },
  allowFolder: {
    group: 'Document',
    value: '<folder>',
    many: true,
    help: 'Also follow references into this folder. Default: only the folder of the document. Can be repeated.',
  },
  overlay: {
    group: 'Document',
    value: '<file>',
    many: true,
    help: 'Apply this OpenAPI Overlay to the document first. Can be repeated.',
  },
  allowNetwork: { group: 'Document', help: 'Fetch references to http: and https: addresses.' },
} satisfies FlagTable;
