import { type VisibleText, joinShown, reshape, show, showLine } from '../visible.ts';

/**
 * Quotes for bash, zsh and ksh, in one line; what cannot be shown as its bytes between `$'` and `'`
 * (POSIX.1-2024, Shell 2.2.4). A null character cannot stand in a word: the shell ends it there.
 */
export function quoteShell(text: string): VisibleText {
  const shown = showLine(text);
  if (shown !== text) return show`$'${joinShown(Array.from(text, escapeCharacter), '')}'`;
  return show`'${reshape(shown, (word) => word.replaceAll("'", String.raw`'\''`))}'`;
}

/** As `quoteShell`; a word that no shell reads otherwise stands as it is. */
export function quoteWord(text: string): VisibleText {
  return /^[\w./][\w./:@%+=,-]*$/.test(text) ? showLine(text) : quoteShell(text);
}

/** As `quoteShell`, for bytes. */
export function quoteBytes(bytes: Uint8Array): VisibleText {
  return show`$'${joinShown(Array.from(bytes, escapeByte), '')}'`;
}

/** The format of `printf` that prints some bytes, quoted: it can hold null characters. */
export function quotePrintf(bytes: Uint8Array): VisibleText {
  const [first = 0, ...rest] = bytes;
  const parts = rest.map((byte) => (byte === 0x25 ? show`%%` : escapeByte(byte)));
  // A hyphen would begin an option.
  const begin = bytes.length === 0 ? '' : toOctal(first);
  return show`'${begin}${joinShown(parts, '')}'`;
}

/** Bytes as a POSIX shell makes them, to stand between double quotes. */
export function quoteOctal(bytes: Uint8Array): VisibleText {
  return show`$(printf ${quotePrintf(bytes)})`;
}

/** As `quoteShell`, for fish: in single quotes it knows two escapes. */
export function quoteFish(text: string): VisibleText {
  return reshape(showLine(text), (shown) => `'${shown.replaceAll(/[\\']/g, String.raw`\$&`)}'`);
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

function escapeByte(byte: number): VisibleText {
  return byte < 0x80 ? escapeCharacter(String.fromCharCode(byte)) : toOctal(byte);
}

function toOctal(byte: number): VisibleText {
  return showLine(`\\${byte.toString(8).padStart(3, '0')}`);
}
