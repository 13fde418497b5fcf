import { useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import type { Sandbox } from '../../session/types.ts';
import { AskButton } from '../panel/ask-button.ts';
import { readForm } from '../panel/form-data.ts';
import { Panel, focusPanel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';

export interface SnapshotsProps {
  readonly session: Session;
  readonly shown: Sandbox;
  readonly reload: () => void;
}

/** Items, clock, choices, limits and counts, kept under names. */
export function Snapshots({ session, shown, reload }: SnapshotsProps): Html {
  const { control, sandbox, tell } = session;
  const { run, error, fail, isBusy } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const [overwritten, setOverwritten] = useState<string>();
  const finish = (message: string) => (isDone: boolean) => {
    if (isDone) tell(message);
    reload();
    return isDone;
  };
  const take = async (snapshot: string): Promise<void> => {
    setOverwritten(undefined);
    const isDone = await run(async () => await control.call('takeSnapshot', { sandbox, snapshot }));
    if (finish(`Kept as ${snapshot}.`)(isDone)) form.current?.reset();
  };
  const save = (event: Event): void => {
    const snapshot = readForm(event).get('name') ?? '';
    if (snapshot === '') fail('Give the snapshot a name.');
    else if (shown.snapshots.includes(snapshot) && overwritten !== snapshot) {
      setOverwritten(snapshot);
      fail(`There is a snapshot ${snapshot}. Save once more to replace it.`);
    } else void take(snapshot);
  };
  const restore = (snapshot: string): void =>
    void run(async () => await control.call('restoreSnapshot', { sandbox, snapshot })).then(
      finish(`The sandbox is as it was at ${snapshot}.`),
    );
  const drop = (snapshot: string): void =>
    void run(async () => await control.call('dropSnapshot', { sandbox, snapshot })).then(
      (isDone) => {
        focusPanel('snapshots');
        finish(`${snapshot} is dropped.`)(isDone);
      },
    );
  return html`<${Panel} id="snapshots" title="Snapshots" error=${error}>
    <p class="soft">Items, clock, choices, limits and counts under a name.</p>
    <ul class="faults">
      ${shown.snapshots.map(
        (name) => html`<li key=${name}>
          <span class="mono">${name}</span>
          <span class="tools">
            <${AskButton} label="Load" name=${`Load ${name}`} question=${`Put ${name} in the place of what is there?`} yes="Load" onYes=${() => restore(name)} />
            <${AskButton} label="Drop" name=${`Drop ${name}`} question=${`Drop ${name}?`} yes="Drop" onYes=${() => drop(name)} />
          </span>
        </li>`,
      )}
    </ul>
    <form class="tools" ref=${form} onSubmit=${save} novalidate>
      <label>Name <input name="name" maxlength="100" autocomplete="off" /></label>
      <button type="submit" aria-disabled=${isBusy ? 'true' : undefined}>Save a snapshot</button>
    </form>
  <//>`;
}
