import type { Random } from '../../contract/index.ts';

/** The first `count` of the values in a random order, without changing the list. */
export function drawSome<Value>(
  values: readonly Value[],
  count: number,
  random: Random,
): readonly Value[] {
  const rest = [...values];
  const drawn = Math.min(count, rest.length);
  for (let at = 0; at < drawn; at += 1) {
    const other = at + Math.floor(random() * (rest.length - at));
    const [one, two] = [rest[at], rest[other]];
    if (one !== undefined && two !== undefined) [rest[at], rest[other]] = [two, one];
  }
  return rest.slice(0, drawn);
}
