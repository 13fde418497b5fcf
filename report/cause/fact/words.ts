/** Names in a sentence: `a`, `a and b`, `a, b and c`; each once. */
export function listWords(words: readonly string[], last = 'and'): string {
  const distinct = [...new Set(words)];
  if (distinct.length < 2) return distinct.join('');
  return `${distinct.slice(0, -1).join(', ')} ${last} ${distinct.at(-1) ?? ''}`;
}

/** A value for a sentence, cut where it is long. */
export function cutValue(text: string): string {
  const [longest, kept] = [60, 50];
  return text.length <= longest ? text : `${text.slice(0, kept)}…`;
}
