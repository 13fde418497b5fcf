import { html, type Html } from '../../view/element.ts';
import { parseObject } from '../form/draft.ts';
import { saveFile } from '../session/save-file.ts';
import type { Session } from '../session/session.ts';
import type { State } from '../session/types.ts';
import type { Action } from '../session/hooks.ts';
import { keepNumber } from '../form/exact-json.ts';
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
  const load = async (): Promise<State> => await control.call('readState', { sandbox });
  /** Keeps what there was, to bring it back. */
  const change = (text: string, task: () => Promise<unknown>): void =>
    void action
      .run(async () => {
        const before = await load();
        await task();
        undo.offer({
          text,
          undo: async () => await control.call('replaceState', { sandbox, body: before }),
        });
      })
      .then(onChanged);
  const reset = (): void =>
    change('The sample data is back.', async () => await control.call('resetState', { sandbox }));
  const open = async (event: Event): Promise<void> => {
    const input = event.currentTarget instanceof HTMLInputElement ? event.currentTarget : undefined;
    const file = input?.files?.[0];
    if (input === undefined || file === undefined) return;
    const text = await file.text();
    input.value = '';
    change(`The items of ${file.name} are here.`, async () => {
      const state = parseObject(text);
      if ('message' in state) throw new Error(`${file.name}: ${state.message}`);
      const body: State = JSON.parse(text, keepNumber);
      await control.call('replaceState', { sandbox, body });
    });
  };
  const download = (): void =>
    void action.run(async () =>
      saveFile(`${sandbox}.json`, JSON.stringify(await load(), undefined, 2)),
    );
  return html`<div class="tools">
    <button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${reset}>Reset to sample data</button>
    <button type="button" aria-disabled=${action.isBusy ? 'true' : undefined} onClick=${download}>Download all as JSON</button>
    <label class="file">
      <span>Load from a file</span>
      <input type="file" accept=".json,application/json" class="visually-hidden" onChange=${(event: Event) => void open(event)} />
    </label>
  </div>`;
}
