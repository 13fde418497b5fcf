import { useEffect, useState } from 'preact/hooks';
import type { Sandbox } from '../../mock/control/client.ts';
import { renderDuration, renderOffset } from '../../mock/control/hint/duration.ts';

/** A reading of a sandbox's clock. */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isFrozen: boolean;
  /** When it was read, by `performance.now()`. */
  readonly readAt: number;
}

/** The current time of a clock, updated every second unless it is frozen. */
export function useTime(clock: SandboxClock): number {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (clock.isFrozen) return undefined;
    const timer = setInterval(() => setTicks((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [clock.isFrozen]);
  return clock.now + (clock.isFrozen ? 0 : performance.now() - clock.readAt);
}

/** `2026-06-02 09:30:05 UTC`. */
export function renderTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `2026-06-01 09:08:07`, in the time zone of this machine. */
export function renderMoment(at: string): string {
  return renderLocal(new Date(at)).slice(0, 19);
}

/** `09:08:07.123` in the time zone of this machine, with the date if it is another day. */
export function renderLocalTime(at: string, now = new Date()): string {
  const date = new Date(at);
  return renderLocal(date).slice(date.toDateString() === now.toDateString() ? 11 : 0);
}

/** `2026-06-01 09:08:07.123`. */
function renderLocal(date: Date): string {
  const shifted = new Date(date.getTime() - 60_000 * date.getTimezoneOffset());
  return shifted.toISOString().replace('T', ' ').slice(0, -1);
}

/** The time until something happens. */
export function renderLeft(milliseconds: number): string {
  return milliseconds > 0 ? renderDuration(milliseconds) : 'a moment';
}

/** Milliseconds by which two clocks may differ without having been moved. */
const usualDifference = 5000;

/** Whether the clock of a freshly read sandbox was moved or is frozen. */
export function hasOwnTime({ now, frozen }: Pick<Sandbox, 'now' | 'frozen'>): boolean {
  return frozen || Math.abs(Date.parse(now) - Date.now()) > usualDifference;
}

/** The state of a clock: `real time`, `frozen`, `3 days ahead`. */
export function describeClock(time: number, isFrozen: boolean, machine: number): string {
  const ahead = time - machine;
  if (isFrozen) return 'frozen';
  if (Math.abs(ahead) < usualDifference) return 'real time';
  return renderOffset(ahead);
}
