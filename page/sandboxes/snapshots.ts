import { useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { useSession } from '../session/session.ts';
import { AskButton, Panel, focusPanel } from './panel.ts';

const fields: readonly Field[] = [{ name: '/name', label: 'Name', isRequired: true }];

/** The states of a sandbox that were saved under names. */
export function Snapshots({ names }: { readonly names: readonly string[] }): Html {
  const session = useSession();
  const { call, sandbox, tell } = session;
  const [overwritten, setOverwritten] = useState<string>();
  const take = async ({ name }: { readonly name: string }): Promise<void> => {
    if (names.includes(name) && overwritten !== name) {
      setOverwritten(name);
      throw new Error(`There is a snapshot ${name}. Save again to replace it.`);
    }
    setOverwritten(undefined);
    await call('takeSnapshot', { snapshot: name });
    tell(`Saved as ${name}.`);
  };
  const act = (task: () => Promise<unknown>, done: string): void =>
    void session.act(task, done).then(() => focusPanel('snapshots'));
  return html`<${Panel} id="snapshots" title="Snapshots">
    <p class="soft">A snapshot holds items, clock, choices, limits, counts, faults and stubs.</p>
    <ul class="rules">
      ${names.map(
        (snapshot) => html`<li key=${snapshot}>
          <span class="mono">${snapshot}</span>
          <span class="tools">
            <${AskButton} label="Restore" name=${`Restore ${snapshot}`} question=${`Replace the state of ${sandbox} with ${snapshot}?`} onYes=${() => act(() => call('restoreSnapshot', { snapshot }), `${sandbox} is restored from ${snapshot}.`)} />
            <${AskButton} label="Delete" name=${`Delete ${snapshot}`} question=${`Delete ${snapshot}?`} onYes=${() => act(() => call('dropSnapshot', { snapshot }), `${snapshot} is deleted.`)} />
          </span>
        </li>`,
      )}
    </ul>
    <${Form} title="Save a snapshot" sandbox=${sandbox} layout="row" fields=${fields} submit=${['Save a snapshot']} onSubmit=${take} isReset />
  <//>`;
}
