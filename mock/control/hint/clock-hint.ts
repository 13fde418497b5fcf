import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import { renderOffset } from './duration.ts';

/** Which day it is in a sandbox whose clock was moved or frozen; undefined for any other. */
export function explainClock({ clues, at, sandbox }: JournalEntry): string | undefined {
  const clock = clues?.clock;
  if (clock === undefined) return undefined;
  const date = new Date(at).toISOString().slice(0, 10);
  const state = clock.kind === 'frozen' ? 'frozen' : renderOffset(clock.ahead);
  return `It is ${date} in the sandbox ${sandbox}: its clock is ${state}.`;
}
