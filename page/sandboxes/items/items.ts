import { useEffect, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import type { Collection } from '../../session/types.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { textOf } from '../panel/form-data.ts';
import { Panel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';
import { useRefresh } from '../panel/use-refresh.ts';
import { CollectionItems } from './collection-items.ts';
import { StateFile } from './state-file.ts';
import { useUndo } from './undo.ts';

/** The items of a sandbox by collection. */
export function Items({ session }: { readonly session: Session }): Html {
  const { control, sandbox, mock } = session;
  const { value, error, reload } = useLoaded(
    async () => await control.call('listCollections', { sandbox }),
    [mock.instance, sandbox],
  );
  useRefresh(session, ['items', 'requests'], reload);
  const [path, setPath] = useState<string>();
  const [changes, setChanges] = useState(0);
  const action = useAction();
  const changed = (): void => {
    reload();
    setChanges((count) => count + 1);
  };
  const undo = useUndo(action, changed);
  const chosen = useKept(value?.find((one) => one.path === path) ?? value?.[0], path);
  const note = html`<${StateFile} session=${session} action=${action} undo=${undo} onChanged=${changed} />`;
  return html`<${Panel} id="items" title="Items" note=${note} error=${action.error ?? error}>
    ${undo.line}
    ${value?.length === 0 && html`<p class="soft">This document has no collections of items: its operations respond with examples.</p>`}
    ${value !== undefined && value.length > 0 && html`<${CollectionPicker} all=${value} chosen=${chosen?.path} onPick=${setPath} />`}
    ${
      chosen !== undefined &&
      html`<${CollectionItems} key=${chosen.path} session=${session} collection=${chosen} action=${action} undo=${undo} changes=${changes} onChanged=${changed} />`
    }
  <//>`;
}

/** A collection that was chosen stays, with what is typed there, if it is empty and listed no more. */
function useKept(found: Collection | undefined, path: string | undefined): Collection | undefined {
  const [kept, setKept] = useState(found);
  useEffect(() => {
    if (found !== undefined && (path === undefined || found.path === path)) setKept(found);
  }, [found, path]);
  return found !== undefined && (path === undefined || found.path === path)
    ? found
    : (kept ?? found);
}

interface CollectionPickerProps {
  readonly all: readonly Collection[];
  readonly chosen: string | undefined;
  readonly onPick: (path: string) => void;
}

function CollectionPicker({ all, chosen, onPick }: CollectionPickerProps): Html {
  const known = all.some(({ path }) => path === chosen);
  return html`<div class="tools">
    <label class="inline"
      >Collection
      <select onChange=${(event: Event) => onPick(textOf(event))}>
        ${!known && chosen !== undefined && html`<option value=${chosen} selected>${chosen}</option>`}
        ${all.map(({ path, count }) => html`<option key=${path} value=${path} selected=${path === chosen}>${`${path} (${count})`}</option>`)}
      </select>
    </label>
  </div>`;
}
