/**
 * A text without the characters of a set at its end: `trimEnd('/pets//', '/')`. Reads each
 * character once; an expression such as `/\/+$/` would try each run of them to its end.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
