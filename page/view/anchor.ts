/** An identifier for an element, from any text: no two texts share one. */
export function anchorOf(text: string): string {
  return text.replace(
    /[^A-Za-z0-9.-]/g,
    (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`,
  );
}
