import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';
import { argumentError } from '../io/command-failure.ts';
import { isAddress } from '../package/bundled.ts';
import {
  type CommandForm,
  type CommandLine,
  flagName,
  type FlagTable,
  type GivenFlag,
  type GivenFlags,
  listFlags,
} from './flags.ts';

/** A command line as it was typed. */
interface TypedLine extends Pick<CommandLine<FlagTable>, 'words' | 'command'> {
  readonly given: GivenFlags;
  /** Which help it asks for, if any: `--help` or `--help all`. */
  readonly help: 'usual' | 'all' | undefined;
}

/** Parses a command line, and reads no value. Throws `PetstoreError`. */
export function parseCommandLine(form: CommandForm, argv: readonly string[]): TypedLine {
  const flags = listFlags(form);
  const names = listNames(flags);
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const after = argv.slice(end + 1);
  const given = new Map<string, GivenFlag>();
  const words: string[] = [];
  const waiting = argv.slice(0, end).values();
  for (const word of waiting) {
    if (!/^-./.test(word)) {
      words.push(word);
      continue;
    }
    const [, option = word, inline] = /^(-[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const found = names.get(option);
    if (found === undefined)
      throw wrongLine(form, `Unknown option '${option}'.${suggestName(option, [...names.keys()])}`);
    const { name, text } = found;
    const { value, many } = flags[name] ?? {};
    if (value === undefined && inline !== undefined)
      throw wrongLine(form, `${option} takes no value.`);
    const next = value === undefined ? text : (inline ?? waiting.next().value);
    // What begins with a dash is the next option, unless it is a number.
    if (next === undefined || (inline === undefined && /^-[^\d]/.test(next)))
      throw wrongLine(form, `${option} needs a value: ${option} ${value}.`);
    const before = (many && given.get(name)?.texts) || [];
    given.set(name, { texts: [...before, next], name: `--${flagName(name)}` });
  }
  const takesCommand = form.takes.includes('--');
  const command = takesCommand ? after : [];
  if (given.has('help'))
    return { given, words, command, help: words.includes('all') ? 'all' : 'usual' };
  if (!takesCommand) words.push(...after);
  placeWords(form, words, given);
  return { given, words: form.operands ? [] : words, command, help: undefined };
}

/** The flags by what is typed: `--no-quiet` turns `quiet` off, `--watch` turns `noWatch` off. */
function listNames(flags: FlagTable) {
  const names = new Map<string, { readonly name: string; readonly text: string }>();
  for (const [name, { value }] of Object.entries(flags)) {
    const word = flagName(name);
    const opposite = word.startsWith('no-') ? word.slice('no-'.length) : `no-${word}`;
    if (value === undefined && name !== 'help') names.set(`--${opposite}`, { name, text: 'false' });
  }
  for (const name of Object.keys(flags)) names.set(`--${flagName(name)}`, { name, text: 'true' });
  return names.set('-h', { name: 'help', text: 'true' });
}

function wrongLine({ name }: CommandForm, reason: string): PetstoreError {
  return argumentError(`${reason} See npx petstore-contract ${name} --help.`);
}

/** Gives words to the flags that they stand for, or counts them. Throws `PetstoreError`. */
function placeWords(
  form: CommandForm,
  words: readonly string[],
  given: Map<string, GivenFlag>,
): void {
  const { name, takes, operands = [], flags } = form;
  const [wanted = ''] = takes.split(/ ?(?:\[options\]|--)/);
  const least = wanted.match(/(?<!\[)</g)?.length ?? 0;
  const most = wanted.includes('...') ? Infinity : least;
  if (most > 0 && operands.length === 0) {
    if (words.length >= least && words.length <= most) return;
    throw argumentError(
      `Wrong number of arguments. Usage: npx petstore-contract ${name} ${takes}.`,
    );
  }
  const operandOf = (value: string): string | undefined =>
    operands.find((operand) => flags[operand]?.value === value);
  for (const word of words) {
    if (operandOf('<url>') !== undefined && /^[\w.-]+:\d+(?:\/|$)/.test(word))
      throw wrongLine(form, `"${word}" is not an address. Did you mean http://${word}?`);
    // That a document is not an address is said where it is read.
    const flag = (isAddress(word) && operandOf('<url>')) || operandOf('<file>');
    if (flag === undefined) {
      const remedy = takes.includes('--') ? ' Give the command after --.' : '';
      throw wrongLine(form, `"${word}" is not an option.${remedy}`);
    }
    const before = given.get(flag)?.texts[0];
    if (before !== undefined)
      throw argumentError(
        `Give one ${flags[flag]?.value?.slice(1, -1)}, not both ${before} and ${word}.`,
      );
    given.set(flag, { texts: [word], name: `--${flagName(flag)}` });
  }
}
