import { html, type Html } from '../../../view/element.ts';
import { saveFile } from '../../session/save-file.ts';
import type { Session } from '../../session/session.ts';
import type { State } from '../../session/types.ts';
import type { Action } from '../panel/use-action.ts';
import { keepNumber } from './exact-json.ts';
import { loadState } from './load-items.ts';
import type { Undo } from './undo.ts';

export interface StateFileProps {
  readonly session: Session;
  readonly action: Action;
  readonly undo: Undo;
  readonly onChanged: () => void;
}

/** All items as a file, from a file, and the seed again. */
export function StateFile({ session, action, undo, onChanged }: StateFileProps): Html {
  const { control, sandbox } = session;
  const replace = async (text: string): Promise<unknown> => {
    const body: State = JSON.parse(text, keepNumber);
    return await control.call('replaceState', { sandbox, body });
  };
  /** Keeps what there was, to bring it back. */
  const change = (text: string, task: () => Promise<unknown>): void =>
    void action
      .run(async () => {
        const before = await loadState(session);
        await task();
        undo.offer({ text, undo: async () => await replace(before) });
      })
      .then(onChanged);
  const reset = (): void =>
    change('The sample data is back.', async () => await control.call('resetState', { sandbox }));
  const load = async (event: Event): Promise<void> => {
    const input = event.currentTarget instanceof HTMLInputElement ? event.currentTarget : undefined;
    const file = input?.files?.[0];
    if (input === undefined || file === undefined) return;
    const text = await file.text();
    input.value = '';
    change(`The items of ${file.name} are here.`, async () => {
      if (!isJson(text)) throw new Error(`${file.name} is no JSON.`);
      await replace(text);
    });
  };
  const download = (): void =>
    void action.run(async () => saveFile(`${sandbox}.json`, await loadState(session)));
  return html`<div class="tools">
    <button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${reset}>Reset to sample data</button>
    <button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${download}>Download all as JSON</button>
    <label class="file">
      <span>Load from a file</span>
      <input type="file" accept=".json,application/json" class="visually-hidden" onChange=${(event: Event) => void load(event)} />
    </label>
  </div>`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
