import type { PetstoreError } from '../../contract/error/petstore-error.ts';
import { suggestName } from '../../contract/error/unknown-name.ts';
import { argumentError } from '../io/command-failure.ts';
import { isAddress } from '../package/bundled.ts';
import {
  type CommandDefinition,
  type CommandLine,
  flagName,
  type FlagTable,
  type GivenFlag,
  type GivenFlags,
  listFlags,
} from './flags.ts';

/** A parsed command line whose values have not been read yet. */
interface TypedLine extends Pick<CommandLine<FlagTable>, 'words' | 'command'> {
  readonly given: GivenFlags;
  /** Which help is requested, if any: `--help` or `--help all`. */
  readonly help: 'usual' | 'all' | undefined;
}

/** Parses a command line without reading the values. Throws `PetstoreError`. */
export function parseCommandLine(
  definition: CommandDefinition,
  argv: readonly string[],
): TypedLine {
  const flags = listFlags(definition);
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
      throw wrongLine(
        definition,
        `Unknown option '${option}'.${suggestName(option, [...names.keys()])}`,
      );
    const { name, text } = found;
    const { value, many } = flags[name] ?? {};
    if (value === undefined && inline !== undefined)
      throw wrongLine(definition, `${option} takes no value.`);
    const next = value === undefined ? text : (inline ?? waiting.next().value);
    // A word that begins with a dash is the next option, unless it is a number.
    if (next === undefined || (inline === undefined && /^-[^\d]/.test(next)))
      throw wrongLine(definition, `${option} needs a value: ${option} ${value}.`);
    const before = (many && given.get(name)?.texts) || [];
    given.set(name, { texts: [...before, next], name: `--${flagName(name)}` });
  }
  const takesCommand = definition.usage.includes('--');
  const command = takesCommand ? after : [];
  if (given.has('help'))
    return { given, words, command, help: words.includes('all') ? 'all' : 'usual' };
  if (!takesCommand) words.push(...after);
  assignArguments(definition, words, given);
  return { given, words: definition.operands ? [] : words, command, help: undefined };
}

/**
 * The flags by their names on the command line: `--no-quiet` turns `quiet` off, `--watch` turns
 * `noWatch` off.
 */
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

function wrongLine({ name }: CommandDefinition, reason: string): PetstoreError {
  return argumentError(`${reason} See npx petstore-contract ${name} --help.`);
}

/** Assigns positional arguments to flags, or checks their number. Throws `PetstoreError`. */
function assignArguments(
  definition: CommandDefinition,
  words: readonly string[],
  given: Map<string, GivenFlag>,
): void {
  const { name, usage, operands = [], flags } = definition;
  const [wanted = ''] = usage.split(/ ?(?:\[options\]|--)/);
  const least = wanted.match(/(?<!\[)</g)?.length ?? 0;
  const most = wanted.includes('...') ? Infinity : least;
  if (most > 0 && operands.length === 0) {
    if (words.length >= least && words.length <= most) return;
    throw argumentError(
      `Wrong number of arguments. Usage: npx petstore-contract ${name} ${usage}.`,
    );
  }
  const operandOf = (value: string): string | undefined =>
    operands.find((operand) => flags[operand]?.value === value);
  for (const word of words) {
    if (operandOf('<url>') !== undefined && /^[\w.-]+:\d+(?:\/|$)/.test(word))
      throw wrongLine(definition, `"${word}" is not an address. Did you mean http://${word}?`);
    // A document given as a URL is rejected where the document is read.
    const flag = (isAddress(word) && operandOf('<url>')) || operandOf('<file>');
    if (flag === undefined) {
      const remedy = usage.includes('--') ? ' Pass the command after --.' : '';
      throw wrongLine(definition, `"${word}" is not an option.${remedy}`);
    }
    const before = given.get(flag)?.texts[0];
    if (before !== undefined)
      throw argumentError(
        `Pass one ${flags[flag]?.value?.slice(1, -1)}, not both ${before} and ${word}.`,
      );
    given.set(flag, { texts: [word], name: `--${flagName(flag)}` });
  }
}
