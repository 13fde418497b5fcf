import type { Clock } from '../../mock/index.ts';

/** A clock that stops during a request, so that its response is of one instant. */
export interface RequestClock extends Clock {
  /** Takes the time, milliseconds since 1970: by default that of the clock it follows. */
  readonly tick: (instant?: number) => void;
}

/** Creates a clock that follows another at its ticks, and begins with one. */
export function createRequestClock(followed: Clock): RequestClock {
  let instant = followed.now();
  return {
    now: () => instant,
    tick: (given = Math.max(instant, followed.now())) => void (instant = given),
    ...(followed.sleep === undefined ? {} : { sleep: followed.sleep.bind(followed) }),
  };
}
