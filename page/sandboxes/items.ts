import { useEffect, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { Select } from '../form/field-input.ts';
import { useAction, useLive } from '../session/hooks.ts';
import type { Session } from '../session/session.ts';
import type { Collection } from '../session/types.ts';
import { Panel } from './panel.ts';
import { CollectionItems } from './collection-items.ts';
import { StateFile } from './state-file.ts';
import { useUndo } from './undo.ts';

/** The items of a sandbox by collection. */
export function Items({ session }: { readonly session: Session }): Html {
  const { control, sandbox } = session;
  const { value, error, reload } = useLive(
    session,
    ['items', 'requests'],
    async () => await control.call('listCollections', { sandbox }),
  );
  const [path, setPath] = useState<string>();
  const [changes, setChanges] = useState(0);
  const action = useAction();
  const changed = (): void => {
    reload();
    setChanges((count) => count + 1);
  };
  const undo = useUndo(action, changed);
  const chosen = useKept(value?.find((one) => one.path === path) ?? value?.[0], path);
  const known = value?.map((one) => [one.path, `${one.path} (${one.count})`] as const) ?? [];
  const isListed = chosen === undefined || known.some(([one]) => one === chosen.path);
  const options = isListed ? known : [[chosen.path, chosen.path] as const, ...known];
  const picker =
    options.length > 1 &&
    html`<${Select} label="Collection" options=${options} value=${chosen?.path} onValue=${setPath} />`;
  return html`<${Panel} id="items" title="Items" sandbox=${sandbox} tools=${picker} error=${action.error ?? error}>
    ${undo.line}
    ${
      chosen !== undefined &&
      html`<${CollectionItems} key=${chosen.path} session=${session} collection=${chosen} action=${action} undo=${undo} changes=${changes} onChanged=${changed} />`
    }
    <${StateFile} session=${session} action=${action} undo=${undo} onChanged=${changed} />
  <//>`;
}

/** A collection that was chosen stays, with what is typed there, if it is empty and listed no more. */
function useKept(found: Collection | undefined, path: string | undefined): Collection | undefined {
  const [kept, setKept] = useState(found);
  const isChosen = found !== undefined && (path === undefined || found.path === path);
  useEffect(() => {
    if (isChosen) setKept(found);
  }, [found, path]);
  return isChosen ? found : (kept ?? found);
}
