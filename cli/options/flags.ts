import type { CommandName } from './command-list.ts';
import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import { argumentError } from '../io/command-failure.ts';

/** A flag of a command, as a row of a table. Its key names it: `readOnly` is `--read-only`. */
export interface Flag {
  /** What follows the flag, as the help shows it: `<file>`. None for a switch. */
  readonly value?: string;
  /** The text that is read where the flag is not given; without one the value is undefined. */
  readonly default?: string;
  /** It may be repeated: the values are a list. */
  readonly many?: true | undefined;
  /** Sentences for the help, which adds the default. */
  readonly help: string;
  /** Reads the text that follows a flag, for errors under the flag's name. Throws `PetstoreError`. */
  readonly read?: (text: string, flag: string) => unknown;
  /** Of a whole number: the least and the most. */
  readonly bounds?: readonly [least: number, most: number];
  /** What the number is multiplied by: 1000 for seconds that are read as milliseconds. */
  readonly unit?: number;
  /** The only texts that it takes. */
  readonly words?: readonly string[];
  /** A variable that gives it to every command: `PETSTORE_API_KEY`. */
  readonly variable?: string | undefined;
  /** Its heading in `--help all`. `--help` shows the flags that have none. */
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

/** What something gives a flag: the command line, the environment or the configuration file. */
export interface GivenFlag {
  /** As on a command line; `true`, `false`, `1` or `0` of a switch. */
  readonly texts: readonly string[];
  /** How errors call it: `--port`, `PETSTORE_MOCK_PORT`, `petstore.config.json:3: /mock/port`. */
  readonly name: string;
}

/** By the name of the flag in its table: `readOnly`. */
export type GivenFlags = ReadonlyMap<string, GivenFlag>;

/** What a flag takes, as the word for its value says. */
export type ValueKind = 'switch' | 'integer' | 'id' | 'pair' | 'path' | 'secret' | 'text';

export function kindOf({ value, many, bounds }: Flag): ValueKind {
  if (value === undefined) return 'switch';
  if (bounds !== undefined) return 'integer';
  // A list of keys holds the keys that a mock accepts, which open nothing else.
  if (!many && /^<(key|token)>$/.test(value)) return 'secret';
  if (/<(file|folder)>/.test(value)) return 'path';
  if (many && /^<.+>=<.+>$/.test(value)) return 'pair';
  return value === '<id>' ? 'id' : 'text';
}

/** The value of a flag that nothing gives; undefined where that is not a single value. */
export function defaultOf(flag: Flag): string | number | undefined {
  if (flag.default === undefined) return undefined;
  return kindOf(flag) === 'integer' ? Number(flag.default) : flag.default;
}

/** What a flag does, with its default. */
export function helpOf({ help, default: usual }: Flag): string {
  return usual === undefined ? help : `${help} Default: ${usual}.`;
}

export interface CommandForm<Table extends FlagTable = FlagTable> {
  readonly name: CommandName;
  /**
   * What follows the name: `<certificate.json> [options]`, `<report> [<report> ...] [options]`. Each
   * word in `<>` is one argument.
   */
  readonly takes: string;
  /**
   * Flags that a word on the command line gives without their name: `petstore mock my.yaml`. A web
   * address gives the first that takes a `<url>`, any other word the first that takes a `<file>`.
   */
  readonly operands?: readonly string[];
  /** Command lines for the help, after the name of the command, with what each does. */
  readonly examples: readonly (readonly [words: string, effect: string])[];
  /** The page about it: a path in `docs/`. */
  readonly page: string;
  /** What it does, in paragraphs; lines with an indent stay as they are. */
  readonly about: readonly string[];
  readonly flags: Table;
  /** What exit codes 0 and 1 mean; the help says what 2 does. */
  readonly exits: readonly [zero: string, one?: string];
  /** It takes no options from the environment or a configuration file. */
  readonly isPlain?: true;
  /** It reads files of other people, so it takes no configuration from the folder it runs in. */
  readonly readsForeignFiles?: true;
}

/** A command line that was read. */
export interface CommandLine<Table extends FlagTable> {
  readonly values: FlagValues<Table>;
  /** The flags that the command line itself gives. */
  readonly typed: ReadonlySet<string>;
  /** Words that are not flags. */
  readonly words: readonly string[];
  /** Words after `--`. */
  readonly command: readonly string[];
}

/** All flags of a command, with those that every command has. */
export function listFlags({ flags, isPlain, readsForeignFiles }: CommandForm): FlagTable {
  const help = { help: 'Show this text.' };
  if (isPlain) return { ...flags, help };
  const usual = readsForeignFiles ? 'none' : 'petstore.config.json in the current folder';
  const config = {
    group: 'Configuration',
    value: '<file>',
    help: `Read options from this file: JSON, or TypeScript or JavaScript, which is run. --no-<option> overrides an option that the file turns on. Default: ${usual}.`,
  };
  const noConfig = { group: 'Configuration', help: 'Read no configuration file.' };
  return { ...flags, config, noConfig, help };
}

/** Reads the values of a command's flags, given by whatever gives them. Throws `PetstoreError`. */
export function readValues<Table extends FlagTable>(
  flags: Table,
  given: GivenFlags,
): FlagValues<Table>;
export function readValues(flags: FlagTable, given: GivenFlags): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, readFlag(name, flag, given.get(name))]),
  );
}

/** `readOnly` as it is written on a command line, without its dashes: `read-only`. */
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

/** Reads the text of a flag as its row says. */
function readText(text: string, flag: Flag, origin: string): unknown {
  const { value, bounds, unit = 1, words } = flag;
  if (bounds !== undefined) return readWhole(text, bounds, origin) * unit;
  if (words !== undefined && !words.includes(text)) throw wrong(text, words.join(' or '), origin);
  if (kindOf(flag) !== 'pair') return text;
  const [, name, given] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || given === undefined) throw wrong(text, `${value}`, origin);
  return [name, given];
}

/** Reads a whole number within bounds, both included, for errors under the flag's name. */
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

/** A whole number within bounds, both included. */
export function whole(least: number, most: number) {
  return { value: '<number>', bounds: [least, most] } as const;
}

/** Seconds, up to an hour, as milliseconds. */
export const seconds = { value: '<seconds>', bounds: [1, 3600], unit: 1000 } as const;

/** One of some words. */
export function among<Word extends string>(...words: readonly Word[]) {
  return { value: words.join('|'), words };
}

/** Names and values with an equals sign between them. */
export function pairs<const Value extends `<${string}>=<${string}>`>(value: Value) {
  return { value, many: true } as const;
}

export function nonEmpty(text: string, flag: string): string {
  if (text === '') throw argumentError(`${flag} must not be empty.`);
  return text;
}

/** Options that mean the same to every command that has them: the document, and how it is read. */
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
