/** Returns numbers from 0 up to, but not including, 1. */
export type Random = () => number;

/** The step of a Weyl sequence. */
const step = 0x9e3779b9;

/** The same seed gives the same series on every machine. `skipped`: how many numbers it starts after. */
export function createRandom(seed: number, skipped = 0): Random {
  let state = (seed + Math.imul(skipped, step)) >>> 0;
  return () => {
    // Each step is scrambled by two rounds of xor, shift and multiply.
    state = (state + step) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Draws integers from 0 up to, but not including, a limit. */
export type Draw = (limit: number) => number;

/** The same key gives the same series. */
export function createDraw(key: string): Draw {
  const random = createRandom(hashText(key));
  return (limit) => Math.floor(random() * limit);
}

/** FNV-1a over UTF-16 code units, 32 bits. */
export function hashText(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Rotates a list to start at a drawn place. */
export function rotate<Value>(values: readonly Value[], draw: Draw): readonly Value[] {
  const start = draw(Math.max(1, values.length));
  return [...values.slice(start), ...values.slice(0, start)];
}
