import { type VisibleText, joinShown, reshape, show, showLine } from '../visible.ts';

/**
 * Quotes for a POSIX shell, in one line; what cannot be shown is printed by `printf`. Without null
 * characters, which no word can hold. Line feeds at its end only bash, zsh and ksh read (`$'`).
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

/** Whether all characters of a text can be seen, in one line. */
export function isShown(text: string): boolean {
  return showLine(text) === text;
}

/** As `quoteShell`; a word without special characters stays as it is. */
export function quoteWord(text: string): VisibleText {
  return /^[\w./][\w./:@%+=,-]*$/.test(text) ? showLine(text) : quoteShell(text);
}

/** The format of `printf` that prints a text in UTF-8 or bytes, quoted: it can hold null characters. */
export function quotePrintf(printed: string | Uint8Array): VisibleText {
  const isText = typeof printed === 'string';
  const text = isText ? printed : Array.from(printed, (byte) => String.fromCharCode(byte)).join('');
  // A hyphen would begin an option.
  const parts = text.split(/(^-|[\\'!#%]|[^\x20-\x7E])/u).map((part, at) => {
    if (at % 2 === 0) return showLine(part);
    if (part === '%') return show`%%`;
    const isByte = part === '-' || (!isText && part > '\x7F');
    return isByte ? toOctal(part.charCodeAt(0)) : escapeCharacter(part);
  });
  return show`'${joinShown(parts, '')}'`;
}

/** Bytes as a POSIX shell makes them, for use between double quotes. */
export function quoteOctal(bytes: Uint8Array): VisibleText {
  return show`$(printf ${quotePrintf(bytes)})`;
}

/**
 * Octal for `!` and the closing quote, as some shells look for them before they read escapes, and for
 * number signs, as two of them may begin a command of a CI server.
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
