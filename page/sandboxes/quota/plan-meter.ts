import { html, type Html } from '../../../view/element.ts';
import type { Quota } from '../../session/types.ts';
import { type SandboxClock, renderLeft, renderTime, useTime } from '../clock/time.ts';
import { parseWhole, readForm } from '../panel/form-data.ts';
import type { QuotaChange } from './quota-change.ts';

type Window = Quota['windows'][number];

export interface PlanMeterProps {
  readonly quota: Quota;
  readonly clock: SandboxClock;
  readonly change: (plan: string, change: QuotaChange) => Promise<boolean>;
  readonly fail: (message: string) => void;
}

/** The windows of a plan as bars with texts, and what changes them. */
export function PlanMeter({ quota, clock, change, fail }: PlanMeterProps): Html {
  const { plan, key, windows, bannedUntil } = quota;
  const ban = (event: SubmitEvent): void => {
    const seconds = parseWhole(readForm(event).get('seconds') ?? '', 1);
    if (seconds === undefined) fail('Give the whole seconds of the ban, 1 or more.');
    else void change(plan, { banSeconds: seconds });
  };
  return html`<div class="quota" role="group" aria-label=${`Plan ${plan}`}>
    <h3>${plan} <code>${key}</code></h3>
    ${
      bannedUntil !== undefined &&
      html`<p class="banned">
      <strong class="badge bad">banned</strong> until ${renderTime(Date.parse(bannedUntil))}${', '}<${Countdown} clock=${clock} until=${bannedUntil} />
      ${' '}<button type="button" onClick=${() => void change(plan, { banSeconds: 0 })}>End the ban</button>
    </p>`
    }
    ${windows.length === 0 && html`<p class="soft">No limit.</p>`}
    ${windows.map(
      (window) =>
        html`<${WindowMeter} key=${window.name} plan=${plan} window=${window} clock=${clock} change=${change} />`,
    )}
    <details>
      <summary>Change ${plan}</summary>
      ${windows.map((window) => html`<${WindowForm} key=${window.name} plan=${plan} window=${window} change=${change} fail=${fail} />`)}
      <form class="tools" onSubmit=${ban} novalidate>
        <label>Ban for <input name="seconds" inputmode="numeric" defaultValue="60" class="short" /> seconds</label>
        <button type="submit">Ban</button>
      </form>
    </details>
  </div>`;
}

interface WindowMeterProps extends Pick<PlanMeterProps, 'clock' | 'change'> {
  readonly plan: string;
  readonly window: Window;
}

function WindowMeter({ plan, window, clock, change }: WindowMeterProps): Html {
  const { name, limit, used, resetAt } = window;
  const left = Math.max(0, limit - used);
  const share = Math.min(100, (used / limit) * 100);
  const level = left === 0 ? 'spent' : share >= 80 ? 'high' : '';
  return html`<div class="window">
    <div class="window-text">
      <span><strong>${name}</strong> ${render(used)} of ${render(limit)} used, <strong>${render(left)} left</strong></span>
      <span class="soft">resets in <${Countdown} clock=${clock} until=${resetAt} /></span>
    </div>
    <div class="window-bar">
      <div class=${`meter ${level}`} role="meter" aria-label=${`Used of plan ${plan} per ${name}`} aria-valuemin="0" aria-valuemax=${limit} aria-valuenow=${Math.min(used, limit)} aria-valuetext=${`${used} of ${limit}`}>
        <span style=${`width:${share}%`}></span>
      </div>
      <button type="button" class="small" aria-label=${`Spend all of ${plan} per ${name}`} onClick=${() => void change(plan, { used: { [name]: limit } })}>Spend all</button>
      <button type="button" class="small" aria-label=${`Refill ${plan} per ${name}`} onClick=${() => void change(plan, { used: { [name]: 0 } })}>Refill</button>
    </div>
  </div>`;
}

/** `1,000`, as the console writes it. */
function render(count: number): string {
  return count.toLocaleString('en');
}

interface WindowFormProps extends Pick<PlanMeterProps, 'change' | 'fail'> {
  readonly plan: string;
  readonly window: Window;
}

function WindowForm({ plan, window, change, fail }: WindowFormProps): Html {
  const { name, limit, used } = window;
  const spend = (event: SubmitEvent): void => {
    const count = parseWhole(readForm(event).get('count') ?? '', 1);
    if (count === undefined) fail('Give a whole number of requests to spend, 1 or more.');
    else void change(plan, { used: { [name]: used + count } });
  };
  const setLimit = (event: SubmitEvent): void => {
    const requests = parseWhole(readForm(event).get('limit') ?? '', 1);
    if (requests === undefined) fail('Give a whole number of requests as the limit, 1 or more.');
    else void change(plan, { limits: { [name]: requests } });
  };
  return html`<form class="tools" onSubmit=${spend} novalidate>
      <label>Spend <input name="count" inputmode="numeric" defaultValue="1" class="short" aria-label=${`Requests to spend of ${plan} per ${name}`} /> per ${name}</label>
      <button type="submit">Spend</button>
    </form>
    <form class="tools" onSubmit=${setLimit} novalidate>
      <label>Limit <input name="limit" inputmode="numeric" defaultValue=${limit} class="short" aria-label=${`Limit of ${plan} per ${name}`} /> per ${name}</label>
      <button type="submit">Set the limit</button>
    </form>`;
}

function Countdown({
  clock,
  until,
}: {
  readonly clock: SandboxClock;
  readonly until: string;
}): Html {
  return renderLeft(Date.parse(until) - useTime(clock));
}
