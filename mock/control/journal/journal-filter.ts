import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Journal } from '../../sandbox/journal.ts';
import type { JournalFilter } from '../declaration/schemas.ts';

/** How long to wait, and for how many. */
export interface JournalWait {
  /** Default: 1. */
  readonly count?: number | undefined;
  /** Milliseconds of the machine, whatever the sandbox's clock does. */
  readonly milliseconds: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** The entries that are kept and match, oldest first. */
export function filterJournal(journal: Journal, filter: JournalFilter): readonly JournalEntry[] {
  return journal.entries.filter((entry) => fits(entry, filter));
}

/** As soon as so many match, or when the time is over, the entries that match. */
export async function waitForEntries(
  journal: Journal,
  filter: JournalFilter,
  { count = 1, milliseconds, signal }: JournalWait,
): Promise<readonly JournalEntry[]> {
  const now = filterJournal(journal, filter);
  let missing = count - now.length;
  if (missing <= 0) return now;
  await waitUntil(milliseconds, signal, (end) =>
    journal.listen((entry) => {
      if (fits(entry, filter)) missing -= 1;
      if (missing <= 0) end();
    }),
  );
  return filterJournal(journal, filter);
}

/** Until what listens calls `end`, the time is over, or the signal is aborted. */
export async function waitUntil(
  milliseconds: number,
  signal: AbortSignal | undefined,
  listen: (end: () => void) => () => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted === true) end();
  const stop = listen(end);
  await promise;
  stop();
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
}

function fits(
  entry: JournalEntry,
  { operation, method, status, path, check, from = 0 }: JournalFilter,
): boolean {
  return (
    entry.index >= from &&
    (operation === undefined || entry.operation === operation) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || entry.status === status) &&
    (path === undefined || entry.target.startsWith(path)) &&
    (check === undefined || entry.refusal?.check === check)
  );
}
