import type { JournalEntry } from '../../sandbox/journal-entry.ts';

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Which day it is in a sandbox whose clock was moved or frozen; undefined for any other. */
export function explainClock({ clues, at, sandbox }: JournalEntry): string | undefined {
  const clock = clues?.clock;
  if (clock === undefined) return undefined;
  const date = new Date(at).toISOString().slice(0, 10);
  const state = clock.kind === 'frozen' ? 'is frozen' : describeDistance(clock.ahead);
  return `It is ${date} in the sandbox ${sandbox}: its clock ${state}.`;
}

/** In the largest unit of which there are two: `is 36 hours ahead`. */
function describeDistance(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  const [unit, length] = units.find((one) => seconds >= 2 * one[1]) ?? ['second', 1];
  const count = Math.round(seconds / length);
  return `is ${count} ${unit}${count === 1 ? '' : 's'} ${milliseconds < 0 ? 'behind' : 'ahead'}`;
}
