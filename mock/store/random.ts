/** Gives numbers from 0 to 1, without 1. */
export type Random = () => number;

/** A generator: the same seed gives the same series on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    // A Weyl sequence, each step of it scrambled by two rounds of xor, shift and multiply.
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

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

/** FNV-1a over UTF-16 code units, 32 bits. */
export function hashText(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
