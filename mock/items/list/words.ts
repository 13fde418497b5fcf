/** The words of a text: long lists of names are read more easily so. */
export function listWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
