import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../session/session.ts';
import type { Run } from '../session/types.ts';
import { describeError } from '../session/use-loaded.ts';

/** The runs that the mock keeps, the last first, as they go on. */
export interface Runs {
  readonly all: readonly Run[];
  /** Why they cannot be listed; undefined where they can. */
  readonly error: string | undefined;
  /** Shows a run as it stands now, a new one first. */
  readonly put: (run: Run) => void;
  readonly forget: (id: string) => void;
}

/** Milliseconds between two looks at a run that goes on, beside the events. */
const pause = 1000;

export function useRuns({ control, events, mock }: Session): Runs {
  const [all, setAll] = useState<readonly Run[]>([]);
  const [error, setError] = useState<string>();
  // A list that was asked for before something was told may be older than that.
  const changes = useRef(0);
  const put = useCallback((run: Run) => {
    changes.current += 1;
    setAll((known) => withRun(known, run));
  }, []);
  const forget = useCallback((id: string) => {
    changes.current += 1;
    setAll((known) => known.filter((run) => run.id !== id));
  }, []);
  const load = useCallback(() => {
    const ask = (): void => {
      const before = changes.current;
      control.call('listRuns', {}).then(
        (runs) => {
          setError(undefined);
          if (before === changes.current) setAll(runs);
          else ask();
        },
        (failure: unknown) => setError(describeError(failure)),
      );
    };
    ask();
  }, [mock.instance]);
  useEffect(load, [load]);
  useEffect(() => events.on('run', put), [events, put]);
  // What was told while there was no connection is not known.
  useEffect(() => events.on('hello', load), [events, load]);
  const isRunning = all.some(({ state }) => state === 'running');
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(load, pause);
    return () => clearInterval(timer);
  }, [isRunning, load]);
  return { all, error, put, forget };
}

/** What has ended goes on no more: of two words about it the one that says so is the later. */
function withRun(known: readonly Run[], run: Run): readonly Run[] {
  const isOlder = ({ id, state }: Run): boolean =>
    id === run.id && (state === 'running' || run.state !== 'running');
  return known.some(({ id }) => id === run.id)
    ? known.map((one) => (isOlder(one) ? run : one))
    : [run, ...known];
}
