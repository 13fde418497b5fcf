import { dateOf } from '../../http/instant.ts';

/** Milliseconds since 1970 as a date and time (RFC 3339), in the years up to 9999. */
export function renderInstant(milliseconds: number): string {
  return dateOf(milliseconds).toISOString();
}
