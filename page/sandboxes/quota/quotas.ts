import { useEffect, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import type { Quota } from '../../session/types.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { type SandboxClock, timeOf } from '../clock/time.ts';
import { Panel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { useRefresh } from '../panel/use-refresh.ts';
import { PlanMeter } from './plan-meter.ts';
import type { QuotaChange } from './quota-change.ts';

export interface QuotasProps {
  readonly session: Session;
  readonly clock: SandboxClock;
}

/** What each plan may send and has sent, by window. */
export function Quotas({ session, clock }: QuotasProps): Html {
  const { control, sandbox, mock } = session;
  const { value, error, reload } = useLoaded(
    async () => await control.call('listQuotas', { sandbox }),
    [mock.instance, sandbox],
  );
  useRefresh(session, ['quotas', 'clock', 'requests'], reload);
  useWindowEnds(value, clock, reload);
  const action = useAction();
  const change = async (plan: string, body: QuotaChange): Promise<boolean> => {
    const isDone = await action.run(
      async () => await control.call('setQuota', { sandbox, plan, body }),
    );
    reload();
    return isDone;
  };
  const reset = (): void =>
    void action.run(async () => await control.call('resetQuotas', { sandbox })).then(reload);
  const note =
    isLimited(value) &&
    html`<button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${reset}>Reset limits and counts</button>`;
  return html`<${Panel} id="quotas" title="Quotas" note=${note} error=${action.error ?? error}>
    ${value !== undefined && !isLimited(value) && html`<p class="soft">This document limits no request rate.</p>`}
    ${value?.map((quota) => html`<${PlanMeter} key=${quota.plan} quota=${quota} clock=${clock} change=${change} fail=${action.fail} />`)}
  <//>`;
}

/**
 * Counts begin anew with a window, of which no event tells: they are loaded again then, and once a
 * second until the answer says so. A page that was hidden, whose timers were slowed, asks at once.
 */
function useWindowEnds(
  quotas: readonly Quota[] | undefined,
  clock: SandboxClock,
  reload: () => void,
): void {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const show = (): void => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', show);
    return () => document.removeEventListener('visibilitychange', show);
  }, [reload]);
  useEffect(() => {
    const ends = (quotas ?? []).flatMap(({ windows, bannedUntil }) => [
      ...windows.map(({ resetAt }) => Date.parse(resetAt)),
      ...(bannedUntil === undefined ? [] : [Date.parse(bannedUntil)]),
    ]);
    const left =
      ends.reduce((first, end) => Math.min(first, end), Infinity) -
      timeOf(clock, performance.now());
    if (clock.isFrozen || left > longestTimer) return undefined;
    const refresh = (): void => {
      setTries((count) => count + 1);
      reload();
    };
    const timer = setTimeout(refresh, left > 0 ? left + 250 : 1000);
    return () => clearTimeout(timer);
  }, [quotas, clock, reload, tries]);
}

/** Of `setTimeout`, in milliseconds. */
const longestTimer = 2 ** 31 - 1000;

function isLimited(quotas: readonly Quota[] | undefined): boolean {
  return quotas !== undefined && quotas.length > 0;
}
