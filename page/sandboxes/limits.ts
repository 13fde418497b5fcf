import { useEffect } from 'preact/hooks';
import type { ControlArguments, Quota } from '../../mock/control/client.ts';
import { html, type Html } from '../view/element.ts';
import { type Field, number } from '../form/field.ts';
import { Form } from '../form/form.ts';
import {
  type SandboxClock,
  renderLeft,
  renderTime,
  useTime,
  describeClock,
} from '../session/clock.ts';
import { useLive } from '../session/hooks.ts';
import { useSession } from '../session/session.ts';
import { Panel } from './panel.ts';

type QuotaChange = ControlArguments<'setQuota'>['body'];

interface ClockProps {
  readonly clock: SandboxClock;
}

/** Limits and usage of each plan, by window; nothing if the document has no limits. */
export function Limits({ clock }: ClockProps): Html {
  const { call, act } = useSession();
  const { value, error, reload } = useLive(['quotas', 'clock', 'requests'], () =>
    call('listQuotas'),
  );
  // There is no event for the end of a window.
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), 1000);
    return () => clearInterval(timer);
  }, [reload]);
  const reset = (): void => void act(() => call('resetQuotas'), 'Limits and counts are reset.');
  if (value === undefined || value.length === 0) return error ?? null;
  const tools = html`<button type="button" onClick=${reset}>Reset limits and counts</button>`;
  return html`<${Panel} id="limits" title="Limits" tools=${tools} error=${error}>
    ${value.map((quota) => html`<${Plan} key=${quota.plan} quota=${quota} clock=${clock} />`)}
  <//>`;
}

/** The windows of a plan as meters, and a form to change them. */
function Plan({ quota, clock }: ClockProps & { readonly quota: Quota }): Html {
  const { call, sandbox, act } = useSession();
  const { plan, key, windows, bannedUntil } = quota;
  const change = (body: QuotaChange) => call('setQuota', { plan, body });
  const press = (body: QuotaChange, done: string): void => void act(() => change(body), done);
  return html`<div class="quota" role="group" aria-label=${`Plan ${plan}`}>
    <h3>${plan} <code>${key}</code></h3>
    ${
      bannedUntil !== undefined &&
      html`<p>
        <strong class="badge bad">banned</strong> until ${renderTime(Date.parse(bannedUntil))}${', '}<${Countdown} clock=${clock} until=${bannedUntil} />
        ${' '}<button type="button" onClick=${() => press({ banSeconds: 0 }, `The ban of ${plan} has ended.`)}>End the ban</button>
      </p>`
    }
    ${windows.length === 0 && html`<p class="soft">No limit.</p>`}
    ${windows.map(({ name, limit, used, resetAt }) => {
      const left = Math.max(0, limit - used);
      return html`<div class="window" key=${name}>
        <div class="window-text">
          <span><strong>${name}</strong> ${show(used)} of ${show(limit)} used, <strong>${show(left)} left</strong></span>
          <span class="soft">resets in <${Countdown} clock=${clock} until=${resetAt} /></span>
        </div>
        <div class="window-bar">
          <meter aria-label=${`Used of plan ${plan} per ${name}`} max=${limit} value=${used} low=${limit * 0.8} high=${limit - 0.5} optimum="0" aria-valuetext=${`${used} of ${limit}`}></meter>
          <button type="button" class="small" aria-label=${`Use up ${plan} per ${name}`} onClick=${() => press({ used: { [name]: limit } }, `The ${name} limit of ${plan} is used up.`)}>Use up</button>
          <button type="button" class="small" aria-label=${`Refill ${plan} per ${name}`} onClick=${() => press({ used: { [name]: 0 } }, `The ${name} limit of ${plan} is refilled.`)}>Refill</button>
        </div>
      </div>`;
    })}
    <details>
      <summary>Change limits</summary>
      <${Form} title=${`Change the limits of ${plan}`} sandbox=${sandbox} fields=${listQuotaFields(quota)} submit=${['Change']} onSubmit=${change} isReset />
    </details>
  </div>`;
}

/** Empty fields change nothing. */
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

type ClockChange = ControlArguments<'setClock'>['body'];

const moveFields: readonly Field[] = [
  { name: '/amount', label: 'Move by', kind: 'number', isRequired: true },
  {
    name: '/unit',
    label: 'Unit',
    kind: 'choice',
    options: [
      ['1', 'seconds'],
      ['60', 'minutes'],
      ['3600', 'hours'],
      ['86400', 'days'],
    ],
  },
];

const setFields: readonly Field[] = [
  { name: '/now', label: 'Set to (UTC)', kind: 'time', isRequired: true },
];

/** The time of the sandbox (real, moved or frozen), and how to change it. */
export function ClockPanel({ clock }: ClockProps): Html {
  const { call, sandbox, mock, act } = useSession();
  const set = (body: ClockChange): Promise<unknown> => call('setClock', { body });
  const change = (body: ClockChange, done: string): void => void act(() => set(body), done);
  const reset = (): void => void act(() => call('resetClock'), 'The clock shows real time.');
  const move = async (body: { amount: number; unit: string }, button: string): Promise<void> => {
    const seconds = body.amount * Number(body.unit);
    await set({ advanceSeconds: button === 'Back' ? -seconds : seconds });
  };
  return html`<${Panel} id="clock" title="Clock">
    <${Time} clock=${clock} />
    <div class="tools">
      <button type="button" onClick=${() => change({ frozen: !clock.isFrozen }, clock.isFrozen ? 'The clock runs again.' : 'The clock is frozen.')}>${clock.isFrozen ? 'Unfreeze' : 'Freeze'}</button>
      <button type="button" onClick=${reset}>Use real time</button>
    </div>
    <${Form} title="Move the clock" sandbox=${sandbox} layout="row" fields=${moveFields} value=${{ amount: 1, unit: '86400' }} submit=${['Forward', 'Back']} onSubmit=${move} />
    <${Form} title="Set the clock" sandbox=${sandbox} layout="row" fields=${setFields} submit=${['Set']} onSubmit=${set} />
    ${mock.operations.map(
      ({ id, removedAt }) =>
        removedAt !== undefined &&
        html`<div class="tools" key=${id}>
          <span><code>${id}</code> will be removed on ${removedAt.slice(0, 10)} (<code>x-sunset</code>).</span>
          <button type="button" aria-label=${`Move the clock there: ${id} is removed`} onClick=${() => change({ now: removedAt }, `The clock is at ${renderTime(Date.parse(removedAt))}. ${id} is removed.`)}>Move the clock there</button>
        </div>`,
    )}
  <//>`;
}

/** A component of its own, so that only it is rendered each second. */
function Time({ clock }: { readonly clock: SandboxClock }): Html {
  const time = useTime(clock);
  const state = describeClock(time, clock.isFrozen, Date.now());
  return html`<p class="time">
    <time class="mono" datetime=${new Date(time).toISOString()}>${renderTime(time)}</time>
    <strong class=${state === 'real time' ? 'badge good' : 'badge'}>${state}</strong>
  </p>`;
}
