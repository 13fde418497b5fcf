import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import type { Journal } from '../../sandbox/journal.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { MockWatcher } from '../../served-document/served-document.ts';
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

/**
 * As soon as so many match, or when the time is over, the entries that match: of the journal, and of
 * the sandbox with a name from then on, which may not be there yet.
 *
 * @param watch reports what happens, until the returned function is called
 */
export async function waitForEntries(
  { name, journal }: Pick<Sandbox, 'name' | 'journal'>,
  watch: (watcher: MockWatcher) => () => void,
  filter: JournalFilter,
  { count = 1, milliseconds, signal }: JournalWait,
): Promise<readonly JournalEntry[]> {
  const found = [...filterJournal(journal, filter)];
  if (found.length >= count || signal?.aborted === true) return found;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener('abort', end, { once: true });
  const stop = watch({
    onEntry(entry) {
      if (entry.sandbox === name && fits(entry, filter)) found.push(entry);
      if (found.length >= count) end();
    },
    onReload: () => {},
  });
  await promise;
  stop();
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  return found;
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
