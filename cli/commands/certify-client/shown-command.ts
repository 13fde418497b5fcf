import { decodePercent } from '../../../contract/source/percent.ts';
import { createRedaction, redactedKey } from '../../../conformance/index.ts';
import { isSecretName } from '../../../traffic/index.ts';

/** A command line without its secrets, and a function that removes them from other texts. */
export interface ShownCommand {
  readonly text: string;
  readonly redact: (text: string) => string;
}

/** Shorter values also occur in other texts by chance, so they are only hidden in the arguments. */
const shortest = 4;

/**
 * Hides values of arguments whose names suggest a secret (`--token=…`, `--api-key …`, `X-Api-Key:
 * …`, `?key=…`), credentials in `Authorization` and `--user`, and those in URLs.
 */
export function showCommand(command: readonly string[]): ShownCommand {
  const secrets = new Set<string>();
  const hide = (value: string): string => {
    // The password of `user:password`, or its percent-encoded definition, may also appear alone.
    for (const text of [value, value.slice(value.indexOf(':') + 1)])
      for (const one of [text, decodePercent(text) ?? text]) secrets.add(one);
    return redactedKey;
  };
  const words = command.map((word, index) => {
    const [before = ''] = index > 1 ? command.slice(index - 1) : [];
    const isValue = /^--?[\w-]+$/.test(before) && isSecretFlag(before) && !word.startsWith('--');
    return isValue && word !== '' ? hide(word) : hideIn(word, hide);
  });
  const redactions = [...secrets]
    .filter(({ length }) => length >= shortest)
    .toSorted((one, other) => other.length - one.length)
    .map(createRedaction);
  const redact = (text: string): string => redactions.reduce((left, hide) => hide(left), text);
  return { text: redact(words.join(' ')), redact };
}

function isSecretFlag(word: string): boolean {
  const name = word.replace(/^-+/, '');
  return isSecretName(name) || word === '-u' || name === 'user' || name === 'bearer';
}

/** Hides secrets within a word. */
function hideIn(word: string, hide: (value: string) => string): string {
  const shown = word
    .replaceAll(/(?<=:\/\/)[^/?#@\s]+(?=@)/g, hide)
    .replaceAll(/(?<=\b(?:Bearer|Basic) )\S+/gi, hide)
    .replaceAll(/([?&]([^=&?#\s]{1,100})=)([^&#\s]+)/g, (pair, start, name, value) =>
      isSecretName(name) ? start + hide(value) : pair,
    );
  if (shown !== word) return shown;
  return word.replace(/^(([^=:]+)[=:])\s*(?!\/\/)(\S.*)$/s, (pair, start, name, value) =>
    isSecretFlag(`--${String(name).trim()}`) ? start + hide(value) : pair,
  );
}
