import type { JournalWait } from './journal-filter.ts';
import type { MockWatcher } from '../../served-document/served-document.ts';

/** What is known of the sandboxes of a mock. */
interface SandboxList {
  readonly sandboxes: readonly string[];
  watch(watcher: MockWatcher): () => void;
}

/** Waits until there is a sandbox, by its first request; resolves with the milliseconds that are left. */
export async function waitForSandbox(
  list: SandboxList,
  name: string,
  { milliseconds, signal }: Pick<JournalWait, 'milliseconds' | 'signal'>,
): Promise<number> {
  if (list.sandboxes.includes(name)) return milliseconds;
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, signal?.aborted === true ? 0 : milliseconds);
  const end = (): void => resolve();
  signal?.addEventListener('abort', end, { once: true });
  const stop = list.watch({
    onEntry: ({ sandbox }) => {
      if (sandbox === name) resolve();
    },
    onReload: () => {},
  });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  stop();
  return Math.max(0, Math.round(milliseconds - (performance.now() - started)));
}
