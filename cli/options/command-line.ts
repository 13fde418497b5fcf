import { parseArgs } from 'node:util';
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
  nameByOther,
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
  const types = [...names].map(
    ([word, { name }]) =>
      [word, { type: flags[name]?.value === undefined ? 'boolean' : 'string' }] as const,
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = new Map<string, GivenFlag>();
  const words: string[] = [];
  let command: string[] | undefined;
  let help: TypedLine['help'];
  for (const token of tokens) {
    if (token.kind === 'option-terminator' && form.takes.includes('--')) command = [];
    if (token.kind === 'positional') {
      if (help === undefined || command !== undefined) (command ?? words).push(token.value);
      else if (token.value === 'all') help = 'all';
      else
        throw argumentError(
          `"${token.value}" cannot follow --help. --help all shows every option.`,
        );
    }
    if (token.kind !== 'option') continue;
    const found = names.get(token.name);
    if (found === undefined) {
      const other = nameByOther(token.name, flags);
      const meant = suggestName(
        token.rawName,
        [...names.keys()].map((name) => `--${name}`),
      );
      throw wrongLine(
        form,
        `Unknown option '${token.rawName}'.${other === undefined ? meant : ` Did you mean --${flagName(other)}?`}`,
      );
    }
    const { name, text } = found;
    const { value, many } = flags[name] ?? {};
    // What begins with a dash is the next option, unless it is a number.
    const isMissing =
      token.value === undefined || (!token.inlineValue && /^-[^\d]/.test(token.value));
    if (value !== undefined && isMissing)
      throw wrongLine(form, `--${token.name} needs a value: --${token.name} ${value}.`);
    if (value === undefined && token.value !== undefined)
      throw wrongLine(form, `--${token.name} takes no value.`);
    if (name === 'help') help = 'usual';
    const before = (many && given.get(name)?.texts) || [];
    given.set(name, { texts: [...before, token.value ?? text], name: `--${flagName(name)}` });
  }
  if (help === undefined) placeWords(form, words, given);
  return { given, words: form.operands ? [] : words, command: command ?? [], help };
}

/** The flags by what is typed, without dashes: `no-quiet` turns `quiet` off, `watch` turns `noWatch` off. */
function listNames(flags: FlagTable) {
  const names = new Map<string, { readonly name: string; readonly text: string }>();
  for (const [name, { value }] of Object.entries(flags)) {
    const word = flagName(name);
    const opposite = word.startsWith('no-') ? word.slice('no-'.length) : `no-${word}`;
    if (value === undefined && name !== 'help') names.set(opposite, { name, text: 'false' });
  }
  for (const name of Object.keys(flags)) names.set(flagName(name), { name, text: 'true' });
  return names;
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
