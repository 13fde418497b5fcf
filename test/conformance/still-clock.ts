import type { Clock } from '../../conformance/transport/carrier.ts';

/** A clock for tests that moves only when somebody sleeps, and records every sleep. */
export interface StillClock extends Clock {
  /** Milliseconds of each sleep, in order. */
  readonly sleeps: readonly number[];
}

/** Creates a clock that starts at ten seconds past a full minute, far from the edges of windows. */
export function createStillClock(start = Date.UTC(2026, 0, 5, 12, 0, 10)): StillClock {
  let now = start;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep: (milliseconds) => {
      sleeps.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  };
}
