import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { suggestName } from '../../contract/index.ts';
import { argumentError } from './command-failure.ts';

/** A flag of a command, as a row of a table. Its key names it: `readOnly` is `--read-only`. */
export interface Flag {
  /** What follows the flag, as the help shows it: `<number>`. None for a switch. */
  readonly value?: string;
  /** The text that is read where the flag is not given; without one the value is undefined. */
  readonly default?: string;
  /** It may be repeated: the values are a list. */
  readonly many?: true;
  /** Sentences for the help. Flags without any share those of the next one. */
  readonly help?: string;
  /** Reads the text that follows, for errors under the name of its flag. Throws `PetstoreError`. */
  readonly read?: (text: string, flag: string) => unknown;
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
  : string;

export interface CommandForm<Table extends FlagTable = FlagTable> {
  readonly name: string;
  /** What follows the name: `<certificate.json> [options]`. */
  readonly takes: string;
  /** What it does, in paragraphs; lines with an indent stay as they are. */
  readonly about: readonly string[];
  readonly flags: Table;
  readonly exits: string;
}

/** A command line that was read: the values of its flags, and the words that are no flags. */
export interface CommandLine<Table extends FlagTable> {
  readonly values: FlagValues<Table>;
  readonly words: readonly string[];
}

export const helpFlag = { help: { help: 'This text.' } } satisfies FlagTable;

/** Reads a command line; undefined where it asks for help. Throws `PetstoreError`. */
export function parseCommandLine<Table extends FlagTable>(
  form: CommandForm<Table>,
  argv: readonly string[],
): CommandLine<Table> | undefined;
export function parseCommandLine(
  { name: command, takes, flags }: CommandForm,
  argv: readonly string[],
): { values: Readonly<Record<string, unknown>>; words: readonly string[] } | undefined {
  const rows = Object.entries({ ...flags, ...helpFlag });
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    rows.map(([name, flag]) => [flagName(name), parserOption(name, flag)]),
  );
  const { values, positionals } = parse(command, argv, options, takes.includes('<'));
  if (values['help'] === true) return undefined;
  return {
    values: Object.fromEntries(
      rows.map(([name, flag]) => [
        name,
        readFlag(`--${flagName(name)}`, flag, values[flagName(name)]),
      ]),
    ),
    words: positionals,
  };
}

/** `readOnly` as it is written on a command line, without its dashes: `read-only`. */
export function flagName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parserOption(name: string, { value, many }: Flag): ParseArgsOptionsConfig[string] {
  return {
    type: value === undefined ? 'boolean' : 'string',
    multiple: many === true,
    ...(name === 'help' ? { short: 'h' } : {}),
  };
}

/** A line that cannot be parsed is told by the parser's first sentence, and where the flags stand. */
function parse(
  command: string,
  argv: readonly string[],
  options: ParseArgsOptionsConfig,
  allowPositionals: boolean,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals });
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : '').split('. ');
    const [, unknown = ''] = /^Unknown option '--(.+)'$/.exec(sentence) ?? [];
    const known = Object.keys(options).map((name) => `--${name}`);
    throw argumentError(
      `${sentence.replace(/\.$/, '')}.${suggestName(unknown, known)} See petstore ${command} --help.`,
    );
  }
}

function readFlag(name: string, flag: Flag, given: unknown): unknown {
  const { value, many, read = (text: string): string => text } = flag;
  if (value === undefined) return given === true;
  if (many) return Array.isArray(given) ? given.map((text) => read(String(text), name)) : [];
  const text = typeof given === 'string' ? given : flag.default;
  return text === undefined ? undefined : read(text, name);
}

/** Reads a whole number within bounds, both included. */
export function whole(least: number, most: number): (text: string, flag: string) => number {
  return (text, flag) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw argumentError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
  };
}

/** Reads seconds, up to an hour, as milliseconds. */
export function seconds(text: string, flag: string): number {
  return whole(1, 3600)(text, flag) * 1000;
}

export function nonEmpty(text: string, flag: string): string {
  if (text === '') throw argumentError(`${flag} must not be empty.`);
  return text;
}
