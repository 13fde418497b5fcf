import type { Run } from '../session/types.ts';

/** `8 s`, `3 min`. */
export function describeDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return `${Math.ceil(seconds / 60)} min`;
}

/** A time for people, by the clock of the browser. */
export function describeTime(instant: string): string {
  const time = new Date(instant);
  const isToday = time.toDateString() === new Date().toDateString();
  const options = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return isToday
    ? time.toLocaleTimeString('en-GB', options)
    : time.toLocaleString('en-GB', { ...options, day: 'numeric', month: 'short', year: 'numeric' });
}

/** The verdict in a word, or the state where there is none. */
export function verdictWord({ state, verdict }: Run): string {
  if (state === 'running') return 'running';
  return verdict ?? 'no report';
}

/** A run in a line, to choose it by. */
export function nameRun(run: Run): string {
  return `${run.id}: ${run.target}, ${verdictWord(run)}, ${describeTime(run.startedAt)}`;
}
