import { useRef, useState } from 'preact/hooks';
import type { Collection, State, StoredItem } from '../../mock/control/client.ts';
import { Body } from '../view/body.ts';
import { html, type Html } from '../view/element.ts';
import { parseObject } from '../form/draft.ts';
import { keepNumber } from '../form/exact-json.ts';
import { ErrorLine } from '../form/error-line.ts';
import { FileButton, Select, textOf } from '../form/field-input.ts';
import { Form } from '../form/form.ts';
import { useLive } from '../session/hooks.ts';
import { saveFile, useSession } from '../session/session.ts';
import { type Item, columnsOf, fieldsOf, nameItem, renderCell } from './members.ts';
import { Panel } from './panel.ts';

export function Items(): Html {
  const { call } = useSession();
  const { value, error } = useLive(['items', 'requests'], () => call('listCollections'));
  const [path, setPath] = useState<string>();
  // A collection stays selected, with its input, even if it becomes empty and is no longer listed.
  const kept = useRef<Collection>(undefined);
  kept.current = value?.find((one) => path === undefined || one.path === path) ?? kept.current;
  const chosen = kept.current;
  const counts = new Map([
    ...(chosen === undefined ? [] : [[chosen.path, chosen.path] as const]),
    ...(value?.map((one) => [one.path, `${one.path} (${one.count})`] as const) ?? []),
  ]);
  const picker =
    counts.size > 1 &&
    html`<${Select} label="Collection" options=${[...counts]} value=${chosen?.path} onValue=${setPath} />`;
  return html`<${Panel} id="items" title="Items" tools=${picker} error=${error}>
    ${chosen !== undefined && html`<${CollectionItems} key=${chosen.path} collection=${chosen} />`}
    <${StateFile} />
  <//>`;
}

/** Items per page. */
const pageSize = 25;

/** The item in the form: an existing one, or a new one. */
interface Editing {
  readonly id?: string;
  readonly item: Item;
}

/** One collection: its items, newest first, with search and pages, and a form for one item. */
function CollectionItems({ collection }: { readonly collection: Collection }): Html {
  const { call, sandbox, act, notify } = useSession();
  const { path } = collection;
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState(0);
  const [editing, setEditing] = useState<Editing>();
  const { value, error } = useLive(
    ['items', 'requests'],
    async () => {
      const all = { collection: path, ...(text !== '' && { text }) };
      const { total } = await call('listItems', { ...all, limit: 1 });
      // The mock lists the oldest first.
      const page = Math.max(0, Math.min(wanted, Math.ceil(total / pageSize) - 1));
      const end = total - page * pageSize;
      const offset = Math.max(0, end - pageSize);
      const limit = Math.max(1, end - offset);
      const { items } = await call('listItems', { ...all, offset, limit });
      return { total, page, items: items.toReversed() };
    },
    [path, text, wanted],
  );
  const { total = 0, page = 0, items = [] } = value ?? {};
  const addButton = useRef<HTMLButtonElement>(null);

  const addItem = (body: Item) => call('addItem', { collection: path, body });
  const replaceItem = (item: string, body: Item) =>
    call('replaceItem', { collection: path, item, body });
  const removeItem = (item: string) => call('removeItem', { collection: path, item });
  const filter = (next: string): void => {
    setText(next);
    setWanted(0);
  };
  const save = async (body: Item): Promise<void> => {
    const { id, item = {} } = editing ?? {};
    if (id === undefined) {
      const added = await addItem(body);
      notify(`${nameItem(added.id, added.item)} is added.`, 'good', () => removeItem(added.id));
      filter('');
    } else {
      await replaceItem(id, body);
      notify(`${nameItem(id, body)} is changed.`, 'good', () => replaceItem(id, item));
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
  const isNew = editing !== undefined && editing.id === undefined;
  const first = page * pageSize;
  const last = first + items.length;
  return html`<div class="tools">
      <button type="button" class="main" ref=${addButton} aria-disabled=${isNew ? 'true' : undefined} onClick=${() => setEditing({ item: collection.sample })}>Add an item</button>
      <label class="inline">Search <input type="search" value=${text} onInput=${(event: Event) => filter(textOf(event))} /></label>
      ${total > 0 && html`<span class="soft" role="status">${`${first + 1} to ${last} of ${total}`}</span>`}
      ${
        total > pageSize && [
          html`<button type="button" disabled=${page === 0} onClick=${() => setWanted(page - 1)}>Previous</button>`,
          html`<button type="button" disabled=${last === total} onClick=${() => setWanted(page + 1)}>Next</button>`,
        ]
      }
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
        : html`<${ItemTable} collection=${collection} items=${items} onEdit=${setEditing} onRemove=${remove} />`
    }`;
}

interface ItemTableProps {
  readonly collection: Collection;
  readonly items: readonly StoredItem[];
  readonly onEdit: (item: StoredItem) => void;
  readonly onRemove: (item: StoredItem) => void;
}

/** A row per item, which expands to the whole item. */
function ItemTable({ collection, items, onEdit, onRemove }: ItemTableProps): Html {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => setOpen(open.symmetricDifference(new Set([id])));
  const shown = items.map(({ item }) => item);
  const columns = columnsOf(collection, shown);
  const label = `Items of ${collection.path}`;
  const isNumbered = collection.members.some(
    ({ name, type }) => name === collection.id && type === 'integer',
  );
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table class="items">
      <thead>
        <tr>
          <td></td>
          ${columns.map((name) => html`<th key=${name} scope="col" class=${isNumbered && name === collection.id ? 'id' : ''}>${name}</th>`)}
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

/** Downloads and loads all items, and resets them to the sample data. */
function StateFile(): Html {
  const { call, sandbox, act, notify } = useSession();
  const load = async (): Promise<State> => await call('readState');
  /** Keeps the previous items for Undo. */
  const change = (done: string, task: () => Promise<unknown>): void =>
    void act(async () => {
      const body = await load();
      await task();
      notify(done, 'good', () => call('replaceState', { body }));
    });
  const reset = (): void => change('The sample data is back.', () => call('resetState'));
  const open = (file: File): void =>
    change(`The items of ${file.name} are loaded.`, async () => {
      const text = await file.text();
      const state = parseObject(text);
      if ('message' in state) throw new Error(`${file.name}: ${state.message}`);
      const body: State = JSON.parse(text, keepNumber);
      await call('replaceState', { body });
    });
  const download = (): void =>
    void act(async () => saveFile(`${sandbox}.json`, JSON.stringify(await load(), undefined, 2)));
  return html`<div class="tools">
    <button type="button" onClick=${reset}>Reset to sample data</button>
    <button type="button" onClick=${download}>Download all as JSON</button>
    <${FileButton} label="Load from a file" onFile=${open} />
  </div>`;
}
