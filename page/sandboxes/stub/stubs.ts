import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { Panel, focusPanel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { useRefresh } from '../panel/use-refresh.ts';
import { StubForm } from './stub-form.ts';
import { describeStub, describeStubUse } from './stub-text.ts';

/** The stubs of a sandbox with their uses and what they break, and a form for another. */
export function Stubs({ session }: { readonly session: Session }): Html {
  const { control, sandbox, mock } = session;
  const { value, error, reload } = useLoaded(
    async () => await control.call('listStubs', { sandbox }),
    [mock.instance, sandbox],
  );
  useRefresh(session, ['stubs', 'requests'], reload);
  const action = useAction();
  const gone = (): void => {
    focusPanel('stubs');
    reload();
  };
  const remove = (stub: string): void =>
    void action.run(async () => await control.call('removeStub', { sandbox, stub })).then(gone);
  const clear = (): void =>
    void action.run(async () => await control.call('clearStubs', { sandbox })).then(gone);
  const note =
    value !== undefined &&
    value.length > 0 &&
    html`<button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${clear}>Remove all stubs</button>`;
  return html`<${Panel} id="stubs" title="Stubs" note=${note} error=${action.error ?? error}>
    ${value?.length === 0 && html`<p class="soft">No stub: every request goes to the mock. A stub answers as you say.</p>`}
    <ul class="faults">
      ${value?.map(
        (stub) => html`<li key=${stub.id}>
          <span>
            ${stub.name !== undefined && html`<b>${stub.name}</b> `}${describeStub(stub)} <span class="soft">${describeStubUse(stub)}</span>
            ${stub.warnings.map(({ message }) => html`<br /><span class="error">Breaks the contract: ${message}</span>`)}
          </span>
          <button type="button" aria-label=${`Remove ${stub.id}`} onClick=${() => remove(stub.id)}>Remove</button>
        </li>`,
      )}
    </ul>
    <${StubForm} session=${session} onAdded=${reload} />
  <//>`;
}
