/** Adds items to the end of a list. As arguments of `push`, more than 100,000 exhaust the stack. */
export function addAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** The largest of some numbers; `atLeast` where none is larger. NaN where one of them is. */
export function largest(numbers: Iterable<number>, atLeast = -Infinity): number {
  let found = atLeast;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The smallest of some numbers; infinity for none. NaN where one of them is. */
export function smallest(numbers: Iterable<number>): number {
  let found = Infinity;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

/** Names in a sentence: `a`, `a and b`, `a, b and c`; without duplicates. */
export function listWords(words: readonly string[], last = 'and'): string {
  const distinct = [...new Set(words)];
  if (distinct.length < 2) return distinct.join('');
  return `${distinct.slice(0, -1).join(', ')} ${last} ${distinct.at(-1) ?? ''}`;
}
