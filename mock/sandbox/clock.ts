/** Where the mock takes the time from; moving it moves all that depends on time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds. By default the machine's timer. */
  sleep?(milliseconds: number): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** Waits by a clock, or by the machine's timer where the clock has none. */
export function sleepBy(clock: Clock, milliseconds: number): Promise<void> {
  if (clock.sleep !== undefined) return clock.sleep(milliseconds);
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
