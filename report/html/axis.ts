/** An axis of a plot: where a value stands, and the values that are written beside it. */
export interface Axis {
  /** Within the ends of the axis, rounded to 0.1. */
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

/** An axis from 0 to a value at least, with about so many round ticks. */
export function createAxis(
  most: number,
  [from, to]: readonly [number, number],
  wanted: number,
): Axis {
  const step = roundStep(most / wanted);
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  return {
    place: (value) => between(from, to, value / (count * step)),
    ticks: Array.from({ length: count + 1 }, (_, index) => round(index * step)),
  };
}

/**
 * An axis of time on which waits are short, however long they took, so that what happens between
 * them can be seen. Times in seconds; waits in their order.
 */
export function createTimeAxis(
  end: number,
  waits: readonly { readonly from: number; readonly to: number }[],
  [left, right]: readonly [number, number],
): Axis {
  const gap = waits.length === 0 ? 0 : Math.min(100, ((right - left) * 0.5) / waits.length);
  const waited = waits.reduce((sum, { from, to }) => sum + to - from, 0);
  const busy = Math.max(end - waited, 1e-6);
  const scale = (right - left - gap * waits.length) / busy;
  /** Units from the left at which a time stands. */
  const offset = (time: number): number =>
    waits.reduce((sum, { from, to }) => {
      const within = Math.min(Math.max(time - from, 0), to - from);
      return sum - within * scale + (gap * within) / (to - from);
    }, time * scale);
  const step = roundStep(busy / 8);
  const stretches = [0, ...waits.map(({ to }) => to)].map((from, index) => ({
    from,
    to: waits[index]?.from ?? end,
  }));
  return {
    place: (time) => between(left, right, offset(time) / (right - left)),
    ticks: stretches.flatMap(({ from, to }) => ticksWithin(from, to, step)),
  };
}

/** Round ticks of a stretch; where none is in it, its beginning. */
function ticksWithin(from: number, to: number, step: number): readonly number[] {
  const [first, last] = [Math.ceil(from / step - 1e-6), Math.floor(to / step + 1e-6)];
  return last < first
    ? [Number(from.toFixed(2))]
    : Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step));
}

function between(from: number, to: number, share: number): number {
  return Math.round((from + Math.min(Math.max(share, 0), 1) * (to - from)) * 10) / 10;
}

/** Without the last digits that a sum of fractions leaves. */
function round(value: number): number {
  return Number(value.toPrecision(9));
}

/** The next of 1, 2 and 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * 0.999) ?? 10);
}
