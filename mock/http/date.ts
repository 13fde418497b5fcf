/**
 * An instant, milliseconds since 1970, as IMF-fixdate: `Thu, 05 Dec 2030 00:00:00 GMT` (RFC 9110
 * section 5.6.7).
 */
export function renderHttpDate(instant: number): string {
  return new Date(instant).toUTCString();
}
