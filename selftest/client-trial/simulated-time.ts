/** A time that waits while anything is done, and then moves to what is next. */
export interface SimulatedTime {
  /** Milliseconds since 1970, with fractions. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Lets the time go until a promise is settled; false if that takes longer than so long. */
  runUntil(settled: Promise<unknown>, milliseconds: number): Promise<boolean>;
}

interface Timer {
  readonly at: number;
  readonly resolve: () => void;
}

/** Creates a time that begins at an instant. */
export function createSimulatedTime(begin: number): SimulatedTime {
  let now = begin;
  let timers: readonly Timer[] = [];
  return {
    now: () => now,
    sleep(milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const at = now + Math.max(0, milliseconds);
      const index = timers.findIndex((timer) => timer.at > at);
      timers = timers.toSpliced(index === -1 ? timers.length : index, 0, { at, resolve });
      return promise;
    },
    async runUntil(settled, milliseconds) {
      const end = now + milliseconds;
      let isSettled = false;
      const settle = (): void => void (isSettled = true);
      settled.then(settle, settle);
      for (;;) {
        // Everything that waits for no time is done before the time goes on.
        await new Promise((resolve) => void setImmediate(resolve));
        if (isSettled) return true;
        const [next, ...others] = timers;
        if (next === undefined || next.at > end) return false;
        [now, timers] = [next.at, others];
        next.resolve();
      }
    },
  };
}
