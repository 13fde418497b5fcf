/** Appends items to a list. As arguments of `push`, more than 100,000 would exhaust the stack. */
export function addAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** The largest of several numbers; `atLeast` if none is larger. NaN if one of them is NaN. */
export function largest(numbers: Iterable<number>, atLeast = -Infinity): number {
  let found = atLeast;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The smallest of several numbers; infinity for none. NaN if one of them is NaN. */
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
