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

/** So many milliseconds lie between two looks, at least: more often nobody reads. */
const betweenLooks = 150;

/** The log, looked at in a frame after it changed, and not too often however much comes. */
export function useLog(log: RequestLog): LogSnapshot {
  const [snapshot, setSnapshot] = useState(() => look(log));
  useEffect(() => {
    let isDue = false;
    let frame: number | undefined;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const schedule = (): void => {
      if (frame !== undefined || rest !== undefined) {
        isDue = true;
        return;
      }
      isDue = false;
      frame = requestAnimationFrame(() => {
        setSnapshot(look(log));
        frame = undefined;
        rest = setTimeout(() => {
          rest = undefined;
          if (isDue) schedule();
        }, betweenLooks);
      });
    };
    schedule();
    const stop = log.subscribe(schedule);
    return () => {
      stop();
      clearTimeout(rest);
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [log]);
  return snapshot;
}

function look({ requests, leftOut, missed, lastNumber, problem }: RequestLog): LogSnapshot {
  return { requests, leftOut, missed, lastNumber, problem };
}
