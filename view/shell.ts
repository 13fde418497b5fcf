import { type VisibleText, joinShown, reshape, show, showLine } from './visible.ts';

/** Quotes for a POSIX shell; what cannot be shown as bytes (POSIX.1-2024, Shell 2.2.4). */
export function quoteShell(text: string): VisibleText {
  const shown = showLine(text);
  if (shown !== text) return show`$'${joinShown(Array.from(text, escapeCharacter), '')}'`;
  return show`'${reshape(shown, (word) => word.replaceAll("'", String.raw`'\''`))}'`;
}

/** A character as it stands in a text between `$'` and `'`. */
export function escapeCharacter(character: string): VisibleText {
  const shown = showLine(character);
  if (character === "'" || character === '\\') return show`\\${shown}`;
  return shown === character
    ? shown
    : joinShown(Array.from(new TextEncoder().encode(character), escapeByte), '');
}

/** A byte as it stands in a text between `$'` and `'`: three octal digits. */
export function escapeByte(byte: number): VisibleText {
  return showLine(`\\${byte.toString(8).padStart(3, '0')}`);
}

/** As `quoteShell`; a word that no shell reads otherwise stands as it is. */
export function quoteWord(text: string): VisibleText {
  return /^[\w./][\w./:@%+=,-]*$/.test(text) ? showLine(text) : quoteShell(text);
}
