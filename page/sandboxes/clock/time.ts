import { useEffect, useState } from 'preact/hooks';
import { countOf } from '../../../view/count.ts';

/** The clock of a sandbox as it was read. */
export interface SandboxClock {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isFrozen: boolean;
  /** When it was read, in milliseconds of `performance.now()`. */
  readonly readAt: number;
}

export function createClock(now: string, isFrozen: boolean, readAt: number): SandboxClock {
  return { now: Date.parse(now), isFrozen, readAt };
}

/** What a clock shows at a time of `performance.now()`. */
export function timeOf({ now, isFrozen, readAt }: SandboxClock, at: number): number {
  return isFrozen ? now : now + Math.max(0, at - readAt);
}

/** What a clock shows, each second anew unless it stands. */
export function useTime(clock: SandboxClock): number {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (clock.isFrozen) return undefined;
    const timer = setInterval(() => setTicks((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [clock.isFrozen]);
  return timeOf(clock, performance.now());
}

/** `2026-06-02 09:30:05 UTC`. */
export function renderTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const units = [
  ['year', 31_557_600],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time by its two largest units: `1 hour 5 minutes`. */
export function renderLength(milliseconds: number): string {
  let left = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts: string[] = [];
  for (const [name, seconds] of units) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) parts.push(countOf(count, name));
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? '0 seconds' : parts.join(' ');
}

/** The time until something happens; what is over is about to be told. */
export function renderLeft(milliseconds: number): string {
  return milliseconds > 0 ? renderLength(milliseconds) : 'a moment';
}

/** Beyond this the clock was moved, and is not only read late. */
const late = 5000;

/** How a clock differs from that of this machine; undefined where it does not. */
export function renderMove(time: number, machine: number): string | undefined {
  const ahead = time - machine;
  if (Math.abs(ahead) < late) return undefined;
  return `${renderLength(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} this machine`;
}
