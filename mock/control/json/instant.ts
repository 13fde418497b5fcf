/** Milliseconds since 1970 as a date and time (RFC 3339). */
export function renderInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
