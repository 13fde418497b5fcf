import { showLine } from './visible.ts';

/** Quotes for a POSIX shell; what cannot be shown as bytes (POSIX.1-2024, Shell 2.2.4). */
export function quoteShell(text: string): string {
  if (showLine(text) === text) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${Array.from(text, escapeCharacter).join('')}'`;
}

/** A character as it stands in a text between `$'` and `'`. */
export function escapeCharacter(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  if (showLine(character) === character) return character;
  return [...new TextEncoder().encode(character)]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('');
}
