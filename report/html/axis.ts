/** An axis of a plot: where a value stands, and the round values that are written beside it. */
export interface Axis {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

/** An axis from 0 to a value at least, with a handful of round ticks. Places are rounded to 0.1. */
export function createAxis(most: number, from: number, to: number, wanted: number): Axis {
  const step = roundStep(most / wanted);
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  const end = count * step;
  return {
    place: (value) =>
      Math.round((from + (Math.min(Math.max(value, 0), end) / end) * (to - from)) * 10) / 10,
    ticks: Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12))),
  };
}

/** The next of 1, 2 and 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * 0.999) ?? 10);
}
