import { html, type Html } from '../view/element.ts';
import type { ControlArguments } from '../../mock/control/client.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { type SandboxClock, describeClock, renderTime, useTime } from '../session/clock.ts';
import type { Session } from '../session/session.ts';
import { Panel } from './panel.ts';

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

/** The time of the sandbox, whether it is real, moved or frozen, and what changes it. */
export function ClockPanel({ session, clock }: { session: Session; clock: SandboxClock }): Html {
  const { control, sandbox, mock, act } = session;
  const call = async (body: ClockChange): Promise<unknown> =>
    await control.call('setClock', { sandbox, body });
  const change = (body: ClockChange): void => void act(async () => await call(body));
  const reset = (): void => void act(async () => await control.call('resetClock', { sandbox }));
  const move = async (body: { amount: number; unit: string }, button: string): Promise<void> => {
    const seconds = body.amount * Number(body.unit);
    await call({ advanceSeconds: button === 'Back' ? -seconds : seconds });
  };
  return html`<${Panel} id="clock" title="Clock" sandbox=${sandbox}>
    <${Time} clock=${clock} />
    <div class="tools">
      <button type="button" onClick=${() => change({ frozen: !clock.isFrozen })}>${clock.isFrozen ? 'Unfreeze' : 'Freeze'}</button>
      <button type="button" onClick=${reset}>Use real time</button>
    </div>
    <${Form} title="Move the clock" sandbox=${sandbox} layout="row" fields=${moveFields} value=${{ amount: 1, unit: '86400' }} submit=${['Forward', 'Back']} onSubmit=${move} />
    <${Form} title="Set the clock" sandbox=${sandbox} layout="row" fields=${setFields} submit=${['Set']} onSubmit=${call} />
    ${mock.operations.map(
      ({ id, removedAt }) =>
        removedAt !== undefined &&
        html`<div class="tools" key=${id}>
          <span>The document removes <code>${id}</code> on ${removedAt.slice(0, 10)} (<code>x-sunset</code>).</span>
          <button type="button" aria-label=${`Move the clock there: ${id} is removed`} onClick=${() => change({ now: removedAt })}>Move the clock there</button>
        </div>`,
    )}
  <//>`;
}

/** By itself, so that nothing else is drawn with each second. */
function Time({ clock }: { readonly clock: SandboxClock }): Html {
  const time = useTime(clock);
  const state = describeClock(time, clock.isFrozen, Date.now());
  return html`<p class="time">
    <time class="mono" datetime=${new Date(time).toISOString()}>${renderTime(time)}</time>
    <strong class=${state === 'real time' ? 'badge good' : 'badge'}>${state}</strong>
  </p>`;
}
