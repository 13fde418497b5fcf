import { useEffect } from 'preact/hooks';
import type { ControlEventData } from '../../../mock/control/client.ts';
import type { Session } from '../../session/session.ts';

/** Parts of a sandbox, as events name them, and `requests`: what its requests may change. */
export type Part = ControlEventData['change']['parts'][number] | 'requests';

/** Many events in a moment are one reason to load again. */
const pause = 250;

/** Loads again once these parts of the chosen sandbox have changed, or events may be missing. */
export function useRefresh(session: Session, parts: readonly Part[], reload: () => void): void {
  const { events, sandbox } = session;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, pause);
    };
    const names: readonly string[] = [...parts, 'sandbox'];
    const stops = [
      events.on('change', (change) => {
        if (change.sandbox === sandbox && change.parts.some((one) => names.includes(one)))
          refresh();
      }),
      events.on('exchanges', (exchanges) => {
        if (names.includes('requests') && exchanges.some((one) => one.sandbox === sandbox))
          refresh();
      }),
      events.on('dropped', refresh),
      events.on('hello', refresh),
      events.on('reload', refresh),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [events, sandbox, reload]);
}
