import { useCallback, useEffect, useState } from 'preact/hooks';
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
  const put = useCallback((run: Run) => setAll((known) => withRun(known, run)), []);
  const forget = useCallback(
    (id: string) => setAll((known) => known.filter((run) => run.id !== id)),
    [],
  );
  const load = useCallback(() => {
    control.call('listRuns', {}).then(
      (runs) => {
        setAll(runs);
        setError(undefined);
      },
      (failure: unknown) => setError(describeError(failure)),
    );
  }, [mock.instance]);
  useEffect(load, [load]);
  useEffect(() => events.on('run', put), [events, put]);
  const isRunning = all.some(({ state }) => state === 'running');
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(load, pause);
    return () => clearInterval(timer);
  }, [isRunning, load]);
  return { all, error, put, forget };
}

function withRun(known: readonly Run[], run: Run): readonly Run[] {
  return known.some(({ id }) => id === run.id)
    ? known.map((one) => (one.id === run.id ? run : one))
    : [run, ...known];
}
