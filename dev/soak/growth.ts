import { median } from '../load/statistics.ts';

/** How a quantity went, sampled at even distances. */
export interface Growth {
  /** Medians of the first and of the last third, after the warm-up. */
  readonly first: number;
  readonly last: number;
  readonly hasGrown: boolean;
}

/** The share of samples at the start that are left out: caches, journals and compiled code fill. */
const warmUp = 0.1;

/**
 * Compares medians, which single samples cannot move: a third of them would have to be wrong.
 * @param allowance by how much the last may be above the first: what a measurement of the same
 *   thing varies by
 * @throws {RangeError} for fewer than nine samples
 */
export function measureGrowth(samples: readonly number[], allowance: number): Growth {
  const warm = samples.slice(Math.ceil(samples.length * warmUp));
  const third = Math.floor(warm.length / 3);
  if (samples.length < 9) throw new RangeError('Growth is told by nine samples or more.');
  const first = median(warm.slice(0, third));
  const last = median(warm.slice(-third));
  return { first, last, hasGrown: last - first > allowance };
}
