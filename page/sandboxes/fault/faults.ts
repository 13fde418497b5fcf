import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { Panel, focusPanel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { useRefresh } from '../panel/use-refresh.ts';
import { FaultForm } from './fault-form.ts';
import { describeRule, describeUse } from './fault-text.ts';

/** The faults of a sandbox with their counters, and a form for another. */
export function Faults({ session }: { readonly session: Session }): Html {
  const { control, sandbox, mock } = session;
  const { value, error, reload } = useLoaded(
    async () => await control.call('listFaults', { sandbox }),
    [mock.instance, sandbox],
  );
  useRefresh(session, ['faults', 'requests'], reload);
  const action = useAction();
  const gone = (): void => {
    focusPanel('faults');
    reload();
  };
  const remove = (fault: string): void =>
    void action.run(async () => await control.call('removeFault', { sandbox, fault })).then(gone);
  const clear = (): void =>
    void action.run(async () => await control.call('clearFaults', { sandbox })).then(gone);
  const note =
    value !== undefined &&
    value.length > 0 &&
    html`<button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${clear}>Remove all faults</button>`;
  return html`<${Panel} id="faults" title="Faults" note=${note} error=${action.error ?? error}>
    ${value?.length === 0 && html`<p class="soft">No fault: the mock does what the document says.</p>`}
    <ul class="faults">
      ${value?.map(
        (fault) => html`<li key=${fault.id}>
          <span>${describeRule(fault)} <span class="soft">${describeUse(fault)}</span></span>
          <button type="button" aria-label=${`Remove ${fault.id}`} onClick=${() => remove(fault.id)}>Remove</button>
        </li>`,
      )}
    </ul>
    <${FaultForm} session=${session} onAdded=${reload} />
  <//>`;
}
