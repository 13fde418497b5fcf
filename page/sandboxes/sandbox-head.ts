import { html, type Html } from '../../view/element.ts';
import { CopyButton } from '../../view/copy-button.ts';
import type { Session } from '../session/session.ts';
import type { Sandbox } from '../session/types.ts';
import { type SandboxClock, renderMove, timeOf } from './clock/time.ts';
import { AskButton } from './panel/ask-button.ts';
import { readForm } from './panel/form-data.ts';
import { ErrorLine, focusPanel } from './panel/panel.ts';
import { useAction } from './panel/use-action.ts';

export interface SandboxHeadProps {
  readonly session: Session;
  readonly shown: Sandbox;
  readonly clock: SandboxClock;
  readonly reload: () => void;
}

/** Names the sandbox and the keys that open it; opens another, or resets this one. */
export function SandboxHead({ session, shown, clock, reload }: SandboxHeadProps): Html {
  const { control, sandbox, tell, go } = session;
  const { run, error, fail } = useAction();
  const reset = (): void =>
    void run(async () => await control.call('resetSandbox', { sandbox })).then((isDone) => {
      if (isDone) tell(`${sandbox} is reset.`);
      reload();
    });
  const open = (event: Event): void => {
    const name = readForm(event).get('name') ?? '';
    if (isName(name)) go({ sandbox: name });
    else fail('A name has 1 to 64 letters, digits, dots, hyphens and underscores.');
  };
  return html`<div class="sandbox-head">
    <h1>Sandbox ${sandbox}</h1>
    <ul class="keys" aria-label="Keys that open it">
      ${shown.keys.map(
        ({ key, plan }) => html`<li key=${key}>
          ${plan !== '' && html`<span class="soft">${plan}</span>`} <code>${key}</code>
          <${CopyButton} text=${key} what=${`the key ${key}`} />
        </li>`,
      )}
    </ul>
    <${MoveNote} clock=${clock} />
    <form class="tools" onSubmit=${open} novalidate>
      <label class="inline">Open another <input name="name" placeholder="alice" maxlength="64" size="12" autocomplete="off" /></label>
      <button type="submit">Open</button>
    </form>
    <${AskButton} label="Reset this sandbox" question=${`Items, clock, choices, faults, stubs, quotas, snapshots and log of ${sandbox} start anew. Go on?`} yes="Reset" onYes=${reset} />
    <${ErrorLine} text=${error} />
  </div>
  <nav class="jumps" aria-label="Parts of the sandbox">
    ${parts.map(([id, title]) => html`<button key=${id} type="button" class="quiet" onClick=${() => focusPanel(id, { scrolls: true })}>${title}</button>`)}
  </nav>`;
}

/** A moved clock explains much, so it is seen before the clock is. */
function MoveNote({ clock }: { readonly clock: SandboxClock }): Html {
  const move = renderMove(timeOf(clock, performance.now()), Date.now());
  const texts = [clock.isFrozen ? 'clock frozen' : undefined, move && `clock ${move}`];
  return texts.map((text) => text !== undefined && html`<strong class="badge">${text}</strong>`);
}

const parts = [
  ['items', 'Items'],
  ['clock', 'Clock'],
  ['quotas', 'Quotas'],
  ['faults', 'Faults'],
  ['stubs', 'Stubs'],
  ['snapshots', 'Snapshots'],
  ['questions', 'Open questions'],
  ['webhooks', 'Webhooks'],
] as const;

function isName(name: string): boolean {
  return /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/.test(name);
}
