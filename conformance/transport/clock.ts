/** Time as the suite sees it; nothing else in the suite asks the machine for the time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds by which it was moved ahead so far, of a clock that is moved instead of waiting. */
  readonly moved?: () => number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/**
 * A clock on which waiting takes no time: it moves ahead. For targets in the same process.
 *
 * @param now the time without any waiting
 */
export function createMovableClock(now = (): number => Date.now()): Clock {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    moved: () => ahead,
    sleep: (milliseconds) => {
      ahead += milliseconds;
      return Promise.resolve();
    },
  };
}
