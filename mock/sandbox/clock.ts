/** Where the mock takes the time from; moving it moves all that depends on time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds. By default the machine's timer. */
  sleep?(milliseconds: number): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Waits by a clock, or by the machine's timer where the clock has none. A signal that is aborted
 * ends the wait at once, and leaves no timer behind.
 */
export function sleepBy(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.sleep === undefined ? setTimeout(end, milliseconds) : undefined;
    clock.sleep?.(milliseconds).then(end, reject);
    signal?.addEventListener('abort', end, { once: true });
  });
}
