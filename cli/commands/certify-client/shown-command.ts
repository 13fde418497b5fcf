import { createBlank, redactedKey, redactKeys } from '../../../conformance/index.ts';
import { isSecretName } from '../../../traffic/index.ts';

/** A command without the secrets of its arguments, and what takes them out of other texts. */
export interface ShownCommand {
  readonly text: string;
  readonly redact: (text: string) => string;
}

/** Shorter values are in other texts by chance; as arguments they are hidden too. */
const shortest = 4;

/**
 * Hides what arguments give to a name that speaks of a secret (`--token=…`, `--api-key …`,
 * `X-Api-Key: …`, `?key=…`), credentials of `Authorization`, `--user`, and those of an address.
 */
export function showCommand(command: readonly string[]): ShownCommand {
  const secrets = new Set<string>();
  const hide = (value: string): string => {
    if (value === '') return '';
    // The password of `user:password`, or its percent-encoded form, may appear alone elsewhere.
    for (const text of [value, value.slice(value.indexOf(':') + 1)])
      for (const one of [text, decode(text)]) secrets.add(one);
    return redactedKey;
  };
  let isNext = false;
  const words = command.map((word, index) => {
    if (isNext && !word.startsWith('--')) {
      isNext = false;
      return hide(word);
    }
    isNext = index > 0 && /^--?[\w-]+$/.test(word) && isSecretFlag(word);
    return hideIn(word, hide);
  });
  const blanks = [...secrets]
    .filter(({ length }) => length >= shortest)
    .toSorted((one, other) => other.length - one.length)
    .map(createBlank);
  const redact = (text: string): string => redactKeys(text, blanks).text;
  return { text: redact(words.join(' ')), redact };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isSecretFlag(word: string): boolean {
  const name = word.replace(/^-+/, '');
  return isSecretName(name) || word === '-u' || name === 'user' || name === 'bearer';
}

function hideIn(word: string, hide: (value: string) => string): string {
  const shown = word
    .replaceAll(/(?<=:\/\/)[^/?#@\s]+(?=@)/g, hide)
    .replaceAll(/(?<=\b(?:Bearer|Basic) )\S+/gi, hide)
    .replaceAll(/(?<=[?&][^=&?#\s]{1,100}=)[^&#\s]+/g, (value: string, at: number, all: string) => {
      const name =
        all
          .slice(Math.max(0, at - 102), at - 1)
          .split(/[?&]/)
          .at(-1) ?? '';
      return isSecretName(name) ? hide(value) : value;
    });
  if (shown !== word) return shown;
  const mark = /[=:]/.exec(word)?.index ?? -1;
  const name = word.slice(0, Math.max(0, mark)).replace(/^-+/, '').trim();
  const value = word.slice(mark + 1).trim();
  const isPair = mark > 0 && !value.startsWith('//') && isSecretFlag(`--${name}`);
  return isPair ? word.slice(0, mark + 1) + hide(value) : word;
}
