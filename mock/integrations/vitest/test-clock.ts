import type { Clock } from '../../sandbox/clock.ts';

/** A clock that stops until a test moves it; windows, bans, dates and delays follow it. */
export interface TestClock extends Clock {
  advance(by: {
    readonly seconds?: number;
    readonly minutes?: number;
    readonly hours?: number;
    readonly days?: number;
  }): void;
  /** Jumps to a date, or a text such as `2030-12-05`. Throws `RangeError` for what is none. */
  set(instant: Date | string): void;
}

export function createTestClock(start: Date | string): TestClock {
  let now = instantOf(start);
  let sleepers: readonly Sleeper[] = [];
  const move = (instant: number): void => {
    now = instant;
    const due = sleepers.filter(({ until }) => until <= now);
    sleepers = sleepers.filter((sleeper) => !due.includes(sleeper));
    for (const { wake } of due.toSorted((a, b) => a.until - b.until)) wake();
  };
  return {
    now: () => now,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        sleepers = [...sleepers, { until: now + milliseconds, wake }];
      }),
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      move(now + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
    },
    set(instant) {
      move(instantOf(instant));
    },
  };
}

/** A delayed answer, and when it is due. */
interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

function instantOf(instant: Date | string): number {
  const time = new Date(instant).getTime();
  if (Number.isNaN(time)) throw new RangeError(`${String(instant)} is not a date.`);
  return time;
}
