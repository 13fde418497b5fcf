import { useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Field } from '../form/field.ts';
import { Form } from '../form/form.ts';
import { useAction } from '../session/hooks.ts';
import type { Session } from '../session/session.ts';
import type { Sandbox } from '../session/types.ts';
import { AskButton, Panel, focusPanel } from './panel.ts';

export interface SnapshotsProps {
  readonly session: Session;
  readonly shown: Sandbox;
  readonly reload: () => void;
}

const fields: readonly Field[] = [
  {
    name: '/name',
    label: 'Name',
    isRequired: true,
    pattern: [/^.{1,100}$/, 'Enter at most 100 characters.'],
  },
];

/** The states of a sandbox that were saved under names. */
export function Snapshots({ session, shown, reload }: SnapshotsProps): Html {
  const { control, sandbox, tell } = session;
  const { run, error } = useAction();
  const [overwritten, setOverwritten] = useState<string>();
  const check = ({ name }: { readonly name: string }): Readonly<Record<string, string>> => {
    if (!shown.snapshots.includes(name) || overwritten === name) return {};
    setOverwritten(name);
    return { '/name': `There is a snapshot ${name}. Save again to replace it.` };
  };
  const take = async ({ name }: { readonly name: string }): Promise<void> => {
    setOverwritten(undefined);
    await control.call('takeSnapshot', { sandbox, snapshot: name });
    tell(`Saved as ${name}.`);
    reload();
  };
  const act = (task: () => Promise<unknown>, message: string): void =>
    void run(task).then((isDone) => {
      if (isDone) tell(message);
      focusPanel('snapshots');
      reload();
    });
  return html`<${Panel} id="snapshots" title="Snapshots" sandbox=${sandbox} error=${error}>
    <p class="soft">A snapshot holds items, clock, choices, limits and counts.</p>
    <ul class="rules">
      ${shown.snapshots.map(
        (snapshot) => html`<li key=${snapshot}>
          <span class="mono">${snapshot}</span>
          <span class="tools">
            <${AskButton} label="Restore" name=${`Restore ${snapshot}`} question=${`Replace the state of ${sandbox} with ${snapshot}?`} yes="Restore" onYes=${() => act(async () => await control.call('restoreSnapshot', { sandbox, snapshot }), `${sandbox} is as it was at ${snapshot}.`)} />
            <${AskButton} label="Delete" name=${`Delete ${snapshot}`} question=${`Delete ${snapshot}?`} yes="Delete" onYes=${() => act(async () => await control.call('dropSnapshot', { sandbox, snapshot }), `${snapshot} is deleted.`)} />
          </span>
        </li>`,
      )}
    </ul>
    <${Form} title="Save a snapshot" sandbox=${sandbox} layout="row" fields=${fields} submit=${['Save a snapshot']} check=${check} onSubmit=${take} isReset />
  <//>`;
}
