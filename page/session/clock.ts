import type { Sandbox } from './types.ts';

/** So many milliseconds two clocks differ without one of them having been moved. */
const usualDifference = 5000;

/** The clock of a sandbox that was just read was moved, or stands. */
export function hasOwnTime({ now, frozen }: Pick<Sandbox, 'now' | 'frozen'>): boolean {
  return frozen || Math.abs(Date.parse(now) - Date.now()) > usualDifference;
}
