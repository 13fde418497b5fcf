import { helpOf, kindOf } from '../../config/flag-row.ts';
import { type CommandForm, type Flag, flagName, listFlags } from '../../io/flags.ts';

/** What may stand somewhere on a command line. */
export type Offer =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  /** Something that nothing here knows. */
  | { readonly kind: 'unknown' };

/** A command as a shell completes it. */
export interface CommandOffer {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly FlagOffer[];
  /** What the words that are no flags are. */
  readonly words: Offer;
  /** A command to run stands after the mark `--`. */
  readonly runs: boolean;
}

export interface FlagOffer {
  /** With its dashes. */
  readonly name: string;
  readonly about: string;
  /** It may be repeated. */
  readonly isMany: boolean;
  /** What follows it, as the help shows it; undefined for a switch. */
  readonly value: string | undefined;
  readonly values: Offer;
}

/** What the shells complete, of the forms of all commands and of `help`. */
export function listOffers(forms: readonly CommandForm[]): readonly CommandOffer[] {
  const names = forms.map(({ name }) => name);
  const help = {
    name: 'help',
    about: 'Tells the options of a command.',
    flags: [],
    words: { kind: 'words', words: names },
    runs: false,
  } as const;
  return [...forms.map((form) => offerCommand(form, forms)), help];
}

function offerCommand(form: CommandForm, forms: readonly CommandForm[]): CommandOffer {
  const flags = listFlags(form);
  return {
    name: form.name,
    about: firstSentence(form.about[0] ?? ''),
    flags: Object.entries(flags).map(([name, flag]) => ({
      name: `--${flagName(name)}`,
      about: firstSentence(helpOf(flags, name)),
      isMany: flag.many === true,
      value: flag.value,
      values: offerValue(flag),
    })),
    words: offerWords(form.takes, forms),
    runs: form.takes.includes(' -- '),
  };
}

function offerValue(flag: Flag): Offer {
  const accepts = flag.read?.accepts;
  if (accepts?.kind === 'words') return { kind: 'words', words: accepts.words };
  return { kind: kindOf(flag) === 'path' ? 'files' : 'unknown' };
}

/** What the words of `<file> [<file> ...]`, `<bash|zsh|fish>` or `[<command> ...]` may be. */
function offerWords(takes: string, forms: readonly CommandForm[]): Offer {
  const [, word = ''] = /^\[?<([^>]+)>/.exec(takes) ?? [];
  if (word.includes('|')) return { kind: 'words', words: word.split('|') };
  const configured = forms.filter(({ isPlain }) => !isPlain).map(({ name }) => name);
  if (word === 'command') return { kind: 'words', words: configured };
  return { kind: word === '' || word.startsWith('url') ? 'unknown' : 'files' };
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?= |$)/s.exec(text)?.[0].replace(/[.:;]$/, '') ?? text;
}
