/** Numbers drawn on a seed. */
export interface Draw {
  /** A whole number from 0 on, below `most`. */
  readonly below: (most: number) => number;
  readonly pick: <Value>(first: Value, ...others: readonly Value[]) => Value;
  /** Whether something of a likelihood, from 0 to 1, happens. */
  readonly chance: (likelihood: number) => boolean;
}

export function createDraw(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    below,
    pick: (first, ...others) => [first, ...others][below(others.length + 1)] ?? first,
    chance: (likelihood) => next() < likelihood,
  };
}
