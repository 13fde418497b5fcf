import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { suggestName } from '../../contract/index.ts';
import type { CommandName } from './command-list.ts';
import { argumentError } from '../io/command-failure.ts';

/** A flag of a command, as a row of a table. Its key names it: `readOnly` is `--read-only`. */
export interface Flag {
  /** What follows the flag, as the help shows it: `<number>`. None for a switch. */
  readonly value?: string;
  /** The text that is read where the flag is not given; without one the value is undefined. */
  readonly default?: string;
  /** It may be repeated: the values are a list. */
  readonly many?: true;
  /** Sentences for the help. */
  readonly help: string;
  readonly read?: FlagReader<unknown>;
  /** A variable that gives it to every command: `PETSTORE_API_KEY`. */
  readonly variable?: string | undefined;
  /** Its heading in `--help all`. `--help` shows the flags that have none. */
  readonly group?: string;
}

/** Reads the text that follows a flag, for errors under the flag's name. Throws `PetstoreError`. */
export interface FlagReader<Value> {
  (text: string, flag: string): Value;
  /** The texts that it takes, where that can be said in short. */
  readonly accepts?: AcceptedTexts;
}

export type AcceptedTexts =
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  | { readonly kind: 'words'; readonly words: readonly string[] };

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

/** What something gives a flag: the command line, the environment or the configuration file. */
export interface GivenFlag {
  /** As on a command line; `true` or `false` of a switch. */
  readonly texts: readonly string[];
  /** How errors call it: `--port`, `PETSTORE_MOCK_PORT`, `petstore.config.json:3: /mock/port`. */
  readonly name: string;
}

/** By the name of the flag in its table: `readOnly`. */
export type GivenFlags = ReadonlyMap<string, GivenFlag>;

/** What a flag takes, as the word for its value says. */
export type ValueKind = 'switch' | 'integer' | 'id' | 'pair' | 'path' | 'secret' | 'text';

export function kindOf({ value, many }: Pick<Flag, 'value' | 'many'>): ValueKind {
  if (value === undefined) return 'switch';
  if (/^<(number|seconds)>$/.test(value)) return 'integer';
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
  readonly exits: string;
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

/** Where options come from that the command line does not give. */
function configFlags({ readsForeignFiles }: CommandForm): FlagTable {
  const usual = readsForeignFiles
    ? 'Default: none'
    : 'Default: petstore.config.json in the current folder';
  return {
    config: {
      group: 'Configuration',
      value: '<file>',
      help: `Read options from this file: JSON, or TypeScript or JavaScript, which is run. --no-<option> overrides an option that the file turns on. ${usual}.`,
    },
    noConfig: { group: 'Configuration', help: 'Read no configuration file.' },
  };
}

/** All flags of a command, with those that every command has. */
export function listFlags(form: CommandForm): FlagTable {
  const config = form.isPlain ? {} : configFlags(form);
  return { ...form.flags, ...config, help: { help: 'Show this text.' } };
}

/** A command line as it was typed. */
interface TypedLine extends Pick<CommandLine<FlagTable>, 'words' | 'command'> {
  readonly given: GivenFlags;
  /** Which help it asks for, if any: `--help` or `--help all`. */
  readonly help: 'usual' | 'all' | undefined;
}

/** Parses a command line, and reads no value. Throws `PetstoreError`. */
export function parseCommandLine(form: CommandForm, argv: readonly string[]): TypedLine {
  const flags = listFlags(form);
  const known = new Map<string, { readonly name: string; readonly text: string }>();
  for (const [name, { value }] of Object.entries(flags))
    if (value === undefined && name !== 'help')
      known.set(negationOf(flagName(name)), { name, text: 'false' });
  for (const name of Object.keys(flags)) known.set(flagName(name), { name, text: 'true' });
  const options: ParseArgsOptionsConfig = {};
  for (const [word, { name }] of known)
    options[word] = { type: flags[name]?.value === undefined ? 'boolean' : 'string' };
  options['help'] = { type: 'boolean', short: 'h' };
  const given = new Map<string, GivenFlag>();
  const words: string[] = [];
  let command: string[] = words;
  const tokens = parse(
    form.name,
    argv,
    options,
    (word) => flags[known.get(word)?.name ?? '']?.value,
  );
  for (const token of tokens) {
    if (token.kind === 'positional') command.push(token.value);
    if (token.kind === 'option-terminator' && form.takes.includes('--')) command = [];
    if (token.kind !== 'option') continue;
    const { name = token.name, text = '' } = known.get(token.name) ?? {};
    const before = (flags[name]?.many && given.get(name)?.texts) || [];
    const texts = [...before, token.value ?? text];
    given.set(name, { texts, name: `--${flagName(name)}` });
  }
  const help = readHelp(tokens);
  if (help === undefined) placeWords(form, words, given);
  const isOperand = form.operands !== undefined;
  return { given, words: isOperand ? [] : words, command: command === words ? [] : command, help };
}

/** Throws `PetstoreError` for a word after `--help` that is not `all`. */
function readHelp(tokens: ReturnType<typeof parse>): TypedLine['help'] {
  const at = tokens.findIndex((token) => token.kind === 'option' && token.name === 'help');
  const next = tokens[at + 1];
  if (at < 0 || next?.kind !== 'positional') return at < 0 ? undefined : 'usual';
  if (next.value === 'all') return 'all';
  throw argumentError(`"${next.value}" cannot follow --help. --help all shows every option.`);
}

/** Gives words to the flags that they stand for, or counts them. Throws `PetstoreError`. */
function placeWords(
  { name, takes, operands = [], flags }: CommandForm,
  words: readonly string[],
  given: Map<string, GivenFlag>,
): void {
  const [wanted = ''] = takes.split(/ ?(?:\[options\]|--)/);
  const least = wanted.match(/(?<!\[)</g)?.length ?? 0;
  const most = wanted.includes('...') ? Infinity : least;
  if (most > 0 && operands.length === 0) {
    if (words.length >= least && words.length <= most) return;
    throw argumentError(
      `Wrong number of arguments. Usage: npx petstore-contract ${name} ${takes}.`,
    );
  }
  for (const word of words) {
    const value = /^https?:\/\//i.test(word) ? '<url>' : '<file>';
    const flag = operands.find((operand) => flags[operand]?.value === value);
    if (flag === undefined)
      throw argumentError(
        `"${word}" is not an option.${takes.includes('--') ? ' Give the command after --.' : ''} See npx petstore-contract ${name} --help.`,
      );
    const before = given.get(flag)?.texts[0];
    if (before !== undefined)
      throw argumentError(`Give one ${value.slice(1, -1)}, not both ${before} and ${word}.`);
    given.set(flag, { texts: [word], name: `--${flagName(flag)}` });
  }
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

/** The name that turns a switch off: `no-watch` of `watch`, and `watch` of `no-watch`. */
function negationOf(name: string): string {
  return name.startsWith('no-') ? name.slice('no-'.length) : `no-${name}`;
}

/** Throws `PetstoreError`: the parser's first sentence, and where to find the flags. */
function parse(
  command: string,
  argv: readonly string[],
  options: ParseArgsOptionsConfig,
  valueOf: (flag: string) => string | undefined,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, tokens: true }).tokens;
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : '').split('. ');
    const [, unknown = ''] = /^Unknown option '--(.+)'$/.exec(sentence) ?? [];
    const [, empty = ''] = /^Option '--(\S+) <value>' argument missing/.exec(sentence) ?? [];
    const known = Object.keys(options).map((name) => `--${name}`);
    const reason =
      empty === ''
        ? `${sentence.replace(/\.$/, '')}.${suggestName(unknown, known)}`
        : `--${empty} needs a value: --${empty} ${valueOf(empty)}.`;
    throw argumentError(`${reason} See npx petstore-contract ${command} --help.`);
  }
}

function readFlag(name: string, flag: Flag, given: GivenFlag | undefined): unknown {
  const { value, many, read = (text: string): string => text } = flag;
  const texts = given?.texts ?? (flag.default === undefined ? [] : [flag.default]);
  if (value === undefined) return texts.at(-1) === 'true';
  const values = texts.map((text) => read(text, given?.name ?? `--${flagName(name)}`));
  return many ? values : values[0];
}

/** Reads a whole number within bounds, both included. */
export function whole(least: number, most: number): FlagReader<number> {
  const read = (text: string, flag: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw argumentError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
  };
  return Object.assign(read, { accepts: { kind: 'whole', least, most } as const });
}

const wholeHour = { kind: 'whole', least: 1, most: 3600 } as const;

/** Reads seconds, up to an hour, as milliseconds. */
export const seconds: FlagReader<number> = Object.assign(
  (text: string, flag: string) => whole(wholeHour.least, wholeHour.most)(text, flag) * 1000,
  { accepts: wholeHour },
);

/** Reads one of some words. */
export function among<Word extends string>(...words: readonly Word[]): FlagReader<Word> {
  const read = (text: string, flag: string): Word => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw argumentError(`${flag} must be ${words.join(' or ')}, not "${text}".`);
  };
  return Object.assign(read, { accepts: { kind: 'words', words } as const });
}

export function nonEmpty(text: string, flag: string): string {
  if (text === '') throw argumentError(`${flag} must not be empty.`);
  return text;
}

/** How a document is read, for commands that take one. */
export const documentFlags = {
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

/** Options that mean the same to every command that has them. */
export const sharedFlags = {
  contract: { value: '<file>', help: 'OpenAPI document. Default: the bundled openapi.yaml.' },
  ...documentFlags,
} satisfies FlagTable;
