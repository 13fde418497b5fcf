const noLimit = 900_000_000;

/** Rate limiting written by hand for one service: two fixed windows for each key. */
export function createLimiter() {
  const counts = new Map<string, Record<'minute' | 'day' | 'minuteUsed' | 'dayUsed', number>>();
  return {
    /** Counts a request; the values of the three headers. */
    count(key: string): readonly [limit: string, remaining: string, reset: string] {
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
