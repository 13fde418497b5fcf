/** The first instant of the year 10000, which HTTP dates cannot name (RFC 9110 section 5.6.7). */
export const endOfDates = Date.UTC(10_000, 0);

function dateOf(milliseconds: number): Date {
  return new Date(Math.min(milliseconds, endOfDates - 1));
}

/** Milliseconds since 1970 as a date and time (RFC 3339), in the years up to 9999. */
export function renderInstant(milliseconds: number): string {
  return dateOf(milliseconds).toISOString();
}

/** Milliseconds since 1970 as IMF-fixdate (RFC 9110 section 5.6.7). */
export function renderHttpDate(milliseconds: number): string {
  return dateOf(milliseconds).toUTCString();
}
