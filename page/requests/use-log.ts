import { useEffect, useState } from 'preact/hooks';
import type { LoggedRequest, RequestLog } from '../session/request-log.ts';

/** The log as it stood at one moment. */
export interface LogSnapshot {
  readonly requests: readonly LoggedRequest[];
  readonly leftOut: number;
  readonly missed: number;
  readonly lastNumber: number;
  readonly problem: string | undefined;
}

/** The log, looked at no more than once a frame however much comes. */
export function useLog(log: RequestLog): LogSnapshot {
  const [snapshot, setSnapshot] = useState(() => look(log));
  useEffect(() => {
    let frame: number | undefined;
    const update = (): void => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        setSnapshot(look(log));
      });
    };
    update();
    const stop = log.subscribe(update);
    return () => {
      stop();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [log]);
  return snapshot;
}

function look({ requests, leftOut, missed, lastNumber, problem }: RequestLog): LogSnapshot {
  return { requests, leftOut, missed, lastNumber, problem };
}
