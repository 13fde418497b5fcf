import { type VisibleText, joinShown, reshape, show, showLine } from '../visible.ts';

/**
 * Quotes a text for a POSIX shell in one line; `printf` prints invisible characters. Removes null
 * characters, which no argument can contain. Trailing line feeds need bash, zsh or ksh (`$'`).
 */
export function quoteShell(text: string): VisibleText {
  if (isShown(text))
    return reshape(showLine(text), (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  const begin = text.slice(0, end).replaceAll('\0', '');
  const feeds = Array.from(text.slice(end), escapeCharacter);
  const ending = feeds.length === 0 ? '' : show`$'${joinShown(feeds, '')}'`;
  return show`"$(printf ${quotePrintf(begin)})"${ending}`;
}

/** Whether all characters of a text are visible, in one line. */
export function isShown(text: string): boolean {
  return showLine(text) === text;
}

/** Like `quoteShell`, but leaves a word without special characters as it is. */
export function quoteWord(text: string): VisibleText {
  return /^[\w./][\w./:@%+=,-]*$/.test(text) ? showLine(text) : quoteShell(text);
}

/**
 * A quoted format string for `printf` that prints a text in UTF-8 or bytes; may contain null
 * characters.
 */
export function quotePrintf(printed: string | Uint8Array): VisibleText {
  const isText = typeof printed === 'string';
  const text = isText ? printed : Array.from(printed, (byte) => String.fromCharCode(byte)).join('');
  // A hyphen would start an option.
  const parts = text.split(/(^-|[\\'!#%]|[^\x20-\x7E])/u).map((part, at) => {
    if (at % 2 === 0) return showLine(part);
    if (part === '%') return show`%%`;
    const isByte = part === '-' || (!isText && part > '\x7F');
    return isByte ? toOctal(part.charCodeAt(0)) : escapeCharacter(part);
  });
  return show`'${joinShown(parts, '')}'`;
}

/** Bytes as octal escapes, for use between double quotes. */
export function quoteOctal(bytes: Uint8Array): VisibleText {
  return show`$(printf ${quotePrintf(bytes)})`;
}

/**
 * Escapes `!` and the closing quote, which some shells interpret before escapes, and `#`, because
 * two of them may start a command of a CI server.
 */
function escapeCharacter(character: string): VisibleText {
  const shown = showLine(character);
  if (character === '\\') return show`\\\\`;
  if (shown === character && !/['!#]/.test(character)) return shown;
  return joinShown(Array.from(new TextEncoder().encode(character), toOctal), '');
}

function toOctal(byte: number): VisibleText {
  return showLine(`\\${byte.toString(8).padStart(3, '0')}`);
}
