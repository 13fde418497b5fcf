import { useEffect } from 'preact/hooks';
import type { ControlArguments } from '../../mock/control/client.ts';
import { html, type Html } from '../view/element.ts';
import { type Field, number } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { type SandboxClock, renderLeft, renderTime, useTime } from '../session/clock.ts';
import { useLive } from '../session/hooks.ts';
import type { Session } from '../session/session.ts';
import type { Quota } from '../session/types.ts';
import { Panel } from './panel.ts';

type QuotaChange = ControlArguments<'setQuota'>['body'];

/** What each plan may send and has sent, by window; nothing where the document has no limits. */
export function Limits({ session, clock }: { session: Session; clock: SandboxClock }): Html {
  const { control, sandbox, act } = session;
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
  const reset = (): void => void act(async () => await control.call('resetQuotas', { sandbox }));
  if (value === undefined || value.length === 0) return error ?? null;
  const tools = html`<button type="button" onClick=${reset}>Reset limits and counts</button>`;
  return html`<${Panel} id="limits" title="Limits" sandbox=${sandbox} tools=${tools} error=${error}>
    ${value.map((quota) => html`<${Plan} key=${quota.plan} session=${session} quota=${quota} clock=${clock} />`)}
  <//>`;
}

interface PlanProps {
  readonly session: Session;
  readonly quota: Quota;
  readonly clock: SandboxClock;
}

/** The windows of a plan as meters, and a form for what they hold. */
function Plan({ session, quota, clock }: PlanProps): Html {
  const { control, sandbox, act } = session;
  const { plan, key, windows, bannedUntil } = quota;
  const change = async (body: QuotaChange) =>
    await control.call('setQuota', { sandbox, plan, body });
  const press = (body: QuotaChange): void => void act(async () => await change(body));
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
      <summary>Change limits</summary>
      <${Form} title=${`Change the limits of ${plan}`} sandbox=${sandbox} fields=${listQuotaFields(quota)} submit=${['Change']} onSubmit=${change} isReset />
    </details>
  </div>`;
}

/** What is left empty stays as it is. */
export function listQuotaFields({ windows }: Quota): readonly Field[] {
  const fields: Field[] = [];
  for (const { name, limit, used } of windows)
    fields.push(
      number(`/limits/${name}`, `Limit per ${name}`, `${limit}`),
      number(`/used/${name}`, name === 'day' ? 'Used today' : `Used this ${name}`, `${used}`),
      number(`/resetSeconds/${name}`, `${capital(name)} resets in (s)`, 'as now'),
    );
  return [...fields, number('/banSeconds', 'Ban for (s)', 'no ban')];
}

function capital(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function show(count: number): string {
  return count.toLocaleString('en');
}

function Countdown({ clock, until }: { clock: SandboxClock; until: string }): Html {
  return renderLeft(Date.parse(until) - useTime(clock));
}
