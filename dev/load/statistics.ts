/** The median of several numbers: the mean of the two middle ones for an even count. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The median of the ratios of each round, so that a slow round has no effect. */
export function medianRatio(values: readonly number[], floor: readonly number[]): number {
  return median(values.map((value, round) => value / (floor[round] ?? Number.NaN)));
}
