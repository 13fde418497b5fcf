/** The first instant of the year 10000, which HTTP dates cannot name (RFC 9110 section 5.6.7). */
export const endOfDates = Date.UTC(10_000, 0);

/** Milliseconds since 1970 as a date, the last one that can be named where it is later. */
export function dateOf(milliseconds: number): Date {
  return new Date(Math.min(milliseconds, endOfDates - 1));
}
