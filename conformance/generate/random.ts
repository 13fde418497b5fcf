import * as fc from 'fast-check';

/** Draws values from arbitraries, the same ones for the same seed. */
export interface Random {
  readonly seed: number;
  /**
   * Draws a number of values; `salt` makes the draws of different callers independent.
   * @internal since users of the types do not have fast-check, which is bundled
   */
  readonly sample: <T>(arbitrary: fc.Arbitrary<T>, count: number, salt: string) => readonly T[];
}

/** Creates the random source of a run. */
export function createRandom(seed: number): Random {
  return {
    seed,
    sample: (arbitrary, count, salt) =>
      fc.sample(arbitrary, { seed: mix(seed, salt), numRuns: count }),
  };
}

/** A seed of its own for each salt (FNV-1a over the salt, started from the seed). */
function mix(seed: number, salt: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (const character of salt)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash | 0;
}
