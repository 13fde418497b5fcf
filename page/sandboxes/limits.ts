import { useEffect } from 'preact/hooks';
import type { ControlArguments } from '../../mock/control/client.ts';
import { html, type Html } from '../../view/element.ts';
import { type Field, whole } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { type SandboxClock, renderLeft, renderTime, useTime } from '../session/clock.ts';
import { useAction, useLive } from '../session/hooks.ts';
import type { Session } from '../session/session.ts';
import type { Quota } from '../session/types.ts';
import { Panel } from './panel.ts';

type QuotaChange = ControlArguments<'setQuota'>['body'];

/** What each plan may send and has sent, by window; nothing where the document has no limits. */
export function Limits({ session, clock }: { session: Session; clock: SandboxClock }): Html {
  const { control, sandbox } = session;
  const { value, error, reload } = useLive(
    session,
    ['quotas', 'clock', 'requests'],
    async () => await control.call('listQuotas', { sandbox }),
  );
  // No event says that a window has ended.
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), 1000);
    return () => clearInterval(timer);
  }, [reload]);
  const action = useAction();
  const change = async (plan: string, body: QuotaChange): Promise<void> => {
    await control.call('setQuota', { sandbox, plan, body });
    reload();
  };
  const reset = (): void =>
    void action.run(async () => await control.call('resetQuotas', { sandbox })).then(reload);
  if (value === undefined || value.length === 0) return error ?? null;
  const tools = html`<button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${reset}>Reset limits and counts</button>`;
  return html`<${Panel} id="limits" title="Limits" sandbox=${sandbox} tools=${tools} error=${action.error ?? error}>
    ${value.map(
      (quota) => html`<${Plan}
        key=${quota.plan}
        sandbox=${sandbox}
        quota=${quota}
        clock=${clock}
        change=${async (body: QuotaChange) => await change(quota.plan, body)}
        press=${(body: QuotaChange) => void action.run(async () => await change(quota.plan, body))}
      />`,
    )}
  <//>`;
}

interface PlanProps {
  readonly sandbox: string;
  readonly quota: Quota;
  readonly clock: SandboxClock;
  /** Rejects for what is refused. */
  readonly change: (change: QuotaChange) => Promise<void>;
  /** Shows what is refused below all plans. */
  readonly press: (change: QuotaChange) => void;
}

/** The windows of a plan as meters, and a form for what they hold. */
function Plan({ sandbox, quota, clock, change, press }: PlanProps): Html {
  const { plan, key, windows, bannedUntil } = quota;
  return html`<div class="quota" role="group" aria-label=${`Plan ${plan}`}>
    <h3>${plan} <code>${key}</code></h3>
    ${
      bannedUntil !== undefined &&
      html`<p>
        <strong class="badge bad">banned</strong> until ${renderTime(Date.parse(bannedUntil))}${', '}<${Countdown} clock=${clock} until=${bannedUntil} />
        ${' '}<button type="button" onClick=${() => press({ banSeconds: 0 })}>End the ban</button>
      </p>`
    }
    ${windows.length === 0 && html`<p class="soft">No limit.</p>`}
    ${windows.map(({ name, limit, used, resetAt }) => {
      const left = Math.max(0, limit - used);
      const share = Math.min(100, (used / limit) * 100);
      const level = left === 0 ? 'spent' : share >= 80 ? 'high' : '';
      return html`<div class="window" key=${name}>
        <div class="window-text">
          <span><strong>${name}</strong> ${show(used)} of ${show(limit)} used, <strong>${show(left)} left</strong></span>
          <span class="soft">resets in <${Countdown} clock=${clock} until=${resetAt} /></span>
        </div>
        <div class="window-bar">
          <div class=${`meter ${level}`} role="meter" aria-label=${`Used of plan ${plan} per ${name}`} aria-valuemin="0" aria-valuemax=${limit} aria-valuenow=${Math.min(used, limit)} aria-valuetext=${`${used} of ${limit}`}>
            <span style=${`width:${share}%`}></span>
          </div>
          <button type="button" class="small" aria-label=${`Use up ${plan} per ${name}`} onClick=${() => press({ used: { [name]: limit } })}>Use up</button>
          <button type="button" class="small" aria-label=${`Refill ${plan} per ${name}`} onClick=${() => press({ used: { [name]: 0 } })}>Refill</button>
        </div>
      </div>`;
    })}
    <details>
      <summary>Change ${plan}</summary>
      <${Form} title=${`Change plan ${plan}`} sandbox=${sandbox} fields=${listQuotaFields(quota)} submit=${['Change']} onSubmit=${change} isReset />
    </details>
  </div>`;
}

/** What is left empty stays as it is. */
export function listQuotaFields({ windows }: Quota): readonly Field[] {
  const fields: Field[] = [];
  for (const { name, limit, used } of windows)
    fields.push(
      whole(`/limits/${name}`, `Limit per ${name}`, `${limit}`, 1, 1_000_000_000),
      whole(`/used/${name}`, `Used in this ${name}`, `${used}`, 0, 1_000_000),
      whole(`/resetSeconds/${name}`, `Seconds left of this ${name}`, 'as it is', 1),
    );
  return [...fields, whole('/banSeconds', 'Ban for seconds', 'no ban', 0, 3_153_600_000)];
}

function show(count: number): string {
  return count.toLocaleString('en');
}

function Countdown({ clock, until }: { clock: SandboxClock; until: string }): Html {
  return renderLeft(Date.parse(until) - useTime(clock));
}
