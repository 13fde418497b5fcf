/** Rate limiting as somebody writes it by hand for one service: two fixed windows for each key. */
export interface HandWrittenLimiter {
  /** Counts a request; the values of the three headers, in the order limit, remaining, reset. */
  count(key: string): readonly [limit: string, remaining: string, reset: string];
}

const noLimit = 900_000_000;

export function createLimiter(): HandWrittenLimiter {
  const counts = new Map<
    string,
    { minute: number; day: number; minuteUsed: number; dayUsed: number }
  >();
  return {
    count(key) {
      const seconds = Math.floor(Date.now() / 1000);
      const [minute, day] = [Math.floor(seconds / 60), Math.floor(seconds / 86_400)];
      const used = counts.get(key) ?? { minute, day, minuteUsed: 0, dayUsed: 0 };
      counts.set(key, used);
      if (used.minute !== minute) Object.assign(used, { minute, minuteUsed: 0 });
      if (used.day !== day) Object.assign(used, { day, dayUsed: 0 });
      used.minuteUsed += 1;
      used.dayUsed += 1;
      const [minuteLeft, dayLeft] = [noLimit - used.minuteUsed, noLimit - used.dayUsed];
      const reset = dayLeft < minuteLeft ? (day + 1) * 86_400 : (minute + 1) * 60;
      return [`${noLimit}`, `${Math.max(0, Math.min(minuteLeft, dayLeft))}`, `${reset}`];
    },
  };
}
