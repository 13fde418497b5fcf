import { html, type Html } from '../view/element.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { useSession } from '../session/session.ts';
import { Panel, focusPanel } from './panel.ts';

const fields: readonly Field[] = [{ name: '/name', label: 'Name', isRequired: true }];

/** The named snapshots of a sandbox. */
export function Snapshots({ names }: { readonly names: readonly string[] }): Html {
  const session = useSession();
  const { call, sandbox, notify } = session;
  const take = async ({ name }: { readonly name: string }): Promise<void> => {
    if (names.includes(name) && !confirm(`Replace the snapshot ${name}?`)) return;
    await call('takeSnapshot', { snapshot: name });
    notify(`Saved as ${name}.`);
  };
  const act = (question: string, task: () => Promise<unknown>, done: string): void =>
    void (confirm(question) && session.act(task, done).then(() => focusPanel('snapshots')));
  return html`<${Panel} id="snapshots" title="Snapshots">
    <p class="soft">A snapshot holds items, clock, choices, limits, counts, faults and stubs.</p>
    <ul class="rules">
      ${names.map(
        (snapshot) => html`<li key=${snapshot}>
          <span class="mono">${snapshot}</span>
          <span class="tools">
            <button type="button" class="danger" aria-label=${`Restore ${snapshot}`} onClick=${() => act(`Replace the state of ${sandbox} with ${snapshot}?`, () => call('restoreSnapshot', { snapshot }), `${sandbox} is restored from ${snapshot}.`)}>Restore</button>
            <button type="button" class="danger" aria-label=${`Delete ${snapshot}`} onClick=${() => act(`Delete ${snapshot}?`, () => call('dropSnapshot', { snapshot }), `${snapshot} is deleted.`)}>Delete</button>
          </span>
        </li>`,
      )}
    </ul>
    <${Form} title="Save a snapshot" sandbox=${sandbox} layout="row" fields=${fields} submit=${['Save a snapshot']} onSubmit=${take} isReset />
  <//>`;
}
