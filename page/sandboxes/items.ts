import { useEffect, useRef, useState } from 'preact/hooks';
import { Body } from '../view/body.ts';
import { html, type Html } from '../view/element.ts';
import { parseObject } from '../form/draft.ts';
import { keepNumber } from '../form/exact-json.ts';
import { ErrorLine } from '../form/error-line.ts';
import { Select, textOf } from '../form/field-input.ts';
import { Form } from '../form/form.ts';
import { useLive } from '../session/hooks.ts';
import { saveFile } from '../session/save-file.ts';
import type { Session } from '../session/session.ts';
import type { Collection, State, StoredItem } from '../session/types.ts';
import { type Item, columnsOf, fieldsOf, freshSample, nameItem, renderCell } from './members.ts';
import { Panel } from './panel.ts';

/** The items of a sandbox by collection. */
export function Items({ session }: { readonly session: Session }): Html {
  const { control, sandbox } = session;
  const { value, error } = useLive(
    session,
    ['items', 'requests'],
    async () => await control.call('listCollections', { sandbox }),
  );
  const [path, setPath] = useState<string>();
  const chosen = useKept(value?.find((one) => one.path === path) ?? value?.[0], path);
  const known = value?.map((one) => [one.path, `${one.path} (${one.count})`] as const) ?? [];
  const isListed = chosen === undefined || known.some(([one]) => one === chosen.path);
  const options = isListed ? known : [[chosen.path, chosen.path] as const, ...known];
  const picker =
    options.length > 1 &&
    html`<${Select} label="Collection" options=${options} value=${chosen?.path} onValue=${setPath} />`;
  return html`<${Panel} id="items" title="Items" sandbox=${sandbox} tools=${picker} error=${error}>
    ${chosen !== undefined && html`<${CollectionItems} key=${chosen.path} session=${session} collection=${chosen} />`}
    <${StateFile} session=${session} />
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

/** So many items are shown at once. */
const pageSize = 25;

/** What a form is open for: an item that is there, or a new one. */
interface Editing {
  readonly id?: string;
  readonly item: Item;
}

/** One collection: its items, filtered and paged, and a form for one of them. */
function CollectionItems({
  session,
  collection,
}: {
  readonly session: Session;
  readonly collection: Collection;
}): Html {
  const { control, sandbox, act, tell } = session;
  const { path } = collection;
  const [text, setText] = useState('');
  const [offset, setOffset] = useState(0);
  const [editing, setEditing] = useState<Editing>();
  const { value, error } = useLive(
    session,
    ['items', 'requests'],
    async () => {
      const filter = text === '' ? {} : { text };
      const page = { sandbox, collection: path, offset, limit: pageSize, ...filter };
      return { ...(await control.call('listItems', page)), of: `${offset} ${text}` };
    },
    [path, text, offset],
  );
  useEffect(() => {
    // What is shown may still be that of another page.
    if (value?.of === `${offset} ${text}` && offset > 0 && offset >= value.total)
      setOffset(Math.max(0, Math.ceil(value.total / pageSize) - 1) * pageSize);
  }, [value, offset, text]);
  const items = value?.items ?? [];
  const shown = items.map(({ item }) => item);
  const addButton = useRef<HTMLButtonElement>(null);

  const addItem = async (body: Item) =>
    await control.call('addItem', { sandbox, collection: path, body });
  const replaceItem = async (item: string, body: Item) =>
    await control.call('replaceItem', { sandbox, collection: path, item, body });
  const removeItem = async (item: string) =>
    await control.call('removeItem', { sandbox, collection: path, item });
  const save = async (body: Item): Promise<void> => {
    const { id, item = {} } = editing ?? {};
    if (id === undefined) {
      const added = await addItem(body);
      tell(`${nameItem(added.id, added.item)} is added.`, 'good', () => removeItem(added.id));
      // New items are on the last page.
      setText('');
      setOffset(Math.floor(collection.count / pageSize) * pageSize);
    } else {
      await replaceItem(id, body);
      tell(`${nameItem(id, body)} is changed.`, 'good', () => replaceItem(id, item));
    }
    setEditing(undefined);
  };
  const cancel = (): void => {
    setEditing(undefined);
    addButton.current?.focus();
  };
  const remove = ({ id, item }: StoredItem): void =>
    void act(
      () => removeItem(id),
      `${nameItem(id, item)} is removed.`,
      () => addItem(item),
    );
  const filter = (next: string): void => {
    setText(next);
    setOffset(0);
  };
  const isNew = editing !== undefined && editing.id === undefined;
  return html`<div class="tools">
      <button type="button" class="main" ref=${addButton} aria-disabled=${isNew ? 'true' : undefined} onClick=${() => setEditing({ item: freshSample(collection, shown) })}>Add an item</button>
      <label class="inline">Search <input type="search" value=${text} onInput=${(event: Event) => filter(textOf(event))} /></label>
      <${Pages} total=${value?.total ?? 0} offset=${offset} onOffset=${setOffset} />
    </div>
    ${
      editing !== undefined &&
      html`<${Form}
        key=${editing.id ?? ' new'}
        title=${isNew ? `Add to ${path}` : `Edit ${editing.id}`}
        sandbox=${sandbox}
        fields=${fieldsOf(collection, isNew && collection.id !== undefined && editing.item[collection.id] === undefined)}
        value=${editing.item}
        rest="Other members, as JSON"
        submit=${[isNew ? 'Add' : 'Save']}
        onSubmit=${save}
        onCancel=${cancel}
      />`
    }
    <${ErrorLine} text=${error} />
    ${
      items.length === 0
        ? html`<p class="soft">${value !== undefined && (text === '' ? 'No items.' : 'No item contains this text.')}</p>`
        : html`<${ItemTable} label=${`Items of ${path}`} columns=${columnsOf(collection, shown)} items=${items} onEdit=${setEditing} onRemove=${remove} />`
    }`;
}

interface PagesProps {
  readonly total: number;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

function Pages({ total, offset, onOffset }: PagesProps): Html {
  const last = Math.min(total, offset + pageSize);
  if (total === 0) return null;
  return html`<span class="tools">
    <span class="soft" role="status">${`${offset + 1} to ${last} of ${total}`}</span>
    ${
      total > pageSize && [
        html`<button type="button" disabled=${offset === 0} onClick=${() => onOffset(Math.max(0, offset - pageSize))}>Previous</button>`,
        html`<button type="button" disabled=${last === total} onClick=${() => onOffset(offset + pageSize)}>Next</button>`,
      ]
    }
  </span>`;
}

interface ItemTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly items: readonly StoredItem[];
  readonly onEdit: (item: StoredItem) => void;
  readonly onRemove: (item: StoredItem) => void;
}

/** Items with a row each, which opens to the whole item. */
function ItemTable({ label, columns, items, onEdit, onRemove }: ItemTableProps): Html {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => setOpen(open.symmetricDifference(new Set([id])));
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table class="items">
      <thead>
        <tr>
          <td></td>
          ${columns.map((name) => html`<th key=${name} scope="col">${name}</th>`)}
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${items.map((one) => [
          html`<tr key=${`row ${one.id}`}>
            <td>
              <button type="button" class="quiet fold" aria-expanded=${open.has(one.id)} aria-label=${`Item ${one.id}`} onClick=${() => toggle(one.id)}>
                ${open.has(one.id) ? '▾' : '▸'}
              </button>
            </td>
            ${columns.map((name) => html`<td key=${name} class=${typeof one.item[name] === 'string' ? '' : 'mono'}>${renderCell(one.item[name])}</td>`)}
            <td class="ends">
              <button type="button" aria-label=${`Edit ${one.id}`} onClick=${() => onEdit(one)}>Edit</button>
              <button type="button" class="danger" aria-label=${`Remove ${one.id}`} onClick=${() => onRemove(one)}>Remove</button>
            </td>
          </tr>`,
          open.has(one.id) &&
            html`<tr key=${`body ${one.id}`}>
              <td colspan=${columns.length + 2}><${Body} text=${JSON.stringify(one.item)} what=${`item ${one.id}`} most=${60} /></td>
            </tr>`,
        ])}
      </tbody>
    </table>
  </div>`;
}

/** All items as a file, from a file, and the sample data again. */
function StateFile({ session }: { readonly session: Session }): Html {
  const { control, sandbox, act, tell } = session;
  const load = async (): Promise<State> => await control.call('readState', { sandbox });
  /** Keeps what there was, to bring it back. */
  const change = (done: string, task: () => Promise<unknown>): void =>
    void act(async () => {
      const body = await load();
      await task();
      tell(done, 'good', async () => await control.call('replaceState', { sandbox, body }));
    });
  const reset = (): void =>
    change('The sample data is back.', async () => await control.call('resetState', { sandbox }));
  const open = async ({ currentTarget: input }: Event): Promise<void> => {
    const file = input instanceof HTMLInputElement ? input.files?.[0] : undefined;
    if (!(input instanceof HTMLInputElement) || file === undefined) return;
    const text = await file.text();
    input.value = '';
    change(`The items of ${file.name} are loaded.`, async () => {
      const state = parseObject(text);
      if ('message' in state) throw new Error(`${file.name}: ${state.message}`);
      const body: State = JSON.parse(text, keepNumber);
      await control.call('replaceState', { sandbox, body });
    });
  };
  const download = (): void =>
    void act(async () => saveFile(`${sandbox}.json`, JSON.stringify(await load(), undefined, 2)));
  return html`<div class="tools">
    <button type="button" onClick=${reset}>Reset to sample data</button>
    <button type="button" onClick=${download}>Download all as JSON</button>
    <label class="file">
      <span>Load from a file</span>
      <input type="file" accept=".json,application/json" class="visually-hidden" onChange=${(event: Event) => void open(event)} />
    </label>
  </div>`;
}
