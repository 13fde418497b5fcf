import { html, type Html } from '../../../view/element.ts';
import type { ControlArguments } from '../../../mock/control/client.ts';
import type { Session } from '../../session/session.ts';
import { readForm } from '../panel/form-data.ts';
import { Panel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { type SandboxClock, renderMove, renderTime, useTime } from './time.ts';

type ClockChange = ControlArguments<'setClock'>['body'];

export interface ClockPanelProps {
  readonly session: Session;
  readonly clock: SandboxClock;
  readonly reload: () => void;
}

/** The time of the sandbox, and what moves it. */
export function ClockPanel({ session, clock, reload }: ClockPanelProps): Html {
  const { control, sandbox, mock } = session;
  const { run, error, fail, isBusy } = useAction();
  const change = (body: ClockChange): void =>
    void run(async () => await control.call('setClock', { sandbox, body })).then(reload);
  const reset = (): void =>
    void run(async () => await control.call('resetClock', { sandbox })).then(reload);
  const move = (event: SubmitEvent): void => {
    const fields = readForm(event);
    const text = fields.get('amount') ?? '';
    const seconds = Number(text) * Number(fields.get('unit'));
    const back = event.submitter?.getAttribute('value') === 'back';
    if (text === '' || !Number.isFinite(seconds)) fail('Give a number to move by.');
    else change({ advanceSeconds: back ? -seconds : seconds });
  };
  const set = (event: SubmitEvent): void => {
    const instant = new Date(`${readForm(event).get('time') ?? ''}Z`);
    if (Number.isNaN(instant.getTime())) fail('Give a day and a time.');
    else change({ now: instant.toISOString() });
  };
  const removals = mock.operations.flatMap(({ id, removedAt }) =>
    removedAt === undefined ? [] : [{ id, removedAt }],
  );
  return html`<${Panel} id="clock" title="Clock" error=${error}>
    <${Time} clock=${clock} />
    <div class="tools">
      <button type="button" aria-disabled=${isBusy ? 'true' : undefined} onClick=${() => change({ frozen: !clock.isFrozen })}>
        ${clock.isFrozen ? 'Let it go on' : 'Freeze'}
      </button>
      <button type="button" aria-disabled=${isBusy ? 'true' : undefined} onClick=${reset}>Real time</button>
    </div>
    <form class="tools" onSubmit=${move} novalidate>
      <label>Move by <input name="amount" type="number" step="any" defaultValue="1" class="short" /></label>
      <select name="unit" aria-label="Unit">
        <option value="1">seconds</option>
        <option value="60">minutes</option>
        <option value="3600">hours</option>
        <option value="86400" selected>days</option>
      </select>
      <button type="submit" value="forward">Forward</button>
      <button type="submit" value="back">Back</button>
    </form>
    <form class="tools" onSubmit=${set} novalidate>
      <label>Set to <input name="time" type="datetime-local" step="1" min="1970-01-01T00:00" max="9999-12-31T23:59" /> UTC</label>
      <button type="submit">Set</button>
    </form>
    ${removals.map(
      ({ id, removedAt }) => html`<div class="tools" key=${id}>
        <button type="button" aria-disabled=${isBusy ? 'true' : undefined} onClick=${() => change({ now: removedAt })}>
          Jump to the day <code>${id}</code> is removed
        </button>
        <span class="soft">${removedAt.slice(0, 10)}</span>
      </div>`,
    )}
  <//>`;
}

/** By itself, so that nothing else is drawn with each second. */
function Time({ clock }: { readonly clock: SandboxClock }): Html {
  const time = useTime(clock);
  const move = renderMove(time, Date.now());
  return html`<p class="time">
    <time class="mono" datetime=${new Date(time).toISOString()}>${renderTime(time)}</time>
    ${clock.isFrozen && html`<strong class="badge">frozen</strong>`}
    ${move !== undefined && html`<strong class="badge">${move}</strong>`}
  </p>`;
}
