import type { Clock } from '../clock.ts';

/** A clock that stands until a test moves it; minute and day windows, bans and deprecation dates follow it. */
export interface TestClock extends Clock {
  advance(by: { readonly seconds?: number; readonly minutes?: number; readonly hours?: number; readonly days?: number }): void;
  /** Jumps to an instant: a date, or a text such as `2030-12-05`. Throws `RangeError` for what is no date. */
  set(instant: Date | string): void;
}

export function createTestClock(start: Date | string): TestClock {
  let now = instantOf(start);
  return {
    now: () => now,
    advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
    },
    set(instant) {
      now = instantOf(instant);
    },
  };
}

function instantOf(instant: Date | string): number {
  const time = new Date(instant).getTime();
  if (Number.isNaN(time)) throw new RangeError(`${String(instant)} is no date.`);
  return time;
}
