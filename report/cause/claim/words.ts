import type { Reading } from '../log/reading.ts';

/** Names in a sentence: `a`, `a and b`, `a, b and c`; each once. */
export function listWords(words: readonly string[], last = 'and'): string {
  const distinct = [...new Set(words)];
  if (distinct.length < 2) return distinct.join('');
  return `${distinct.slice(0, -1).join(', ')} ${last} ${distinct.at(-1) ?? ''}`;
}

/** `1 response has`, `3 responses have`. */
export function agree(count: number, noun: string, one: string, many: string): string {
  return count === 1 ? `1 ${noun} ${one}` : `${count} ${noun}s ${many}`;
}

/** A value for a sentence, cut where it is long. */
export function cutValue(text: string): string {
  const [longest, kept] = [60, 50];
  return text.length <= longest ? text : `${text.slice(0, kept)}…`;
}

/** The operations of requests with their verb: `createPet fails`, `createPet and getPet fail`. */
export function tellOperations(readings: readonly Reading[], one: string, many: string): string {
  const names = new Set(readings.map(({ operation }) => operation?.id ?? 'the service'));
  return `${listWords([...names])} ${names.size === 1 ? one : many}`;
}
