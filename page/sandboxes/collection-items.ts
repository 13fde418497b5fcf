import { useEffect, useRef, useState } from 'preact/hooks';
import { Body } from '../../view/body.ts';
import { html, type Html } from '../../view/element.ts';
import { ErrorLine } from '../form/error-line.ts';
import { textOf } from '../form/field-input.ts';
import { Form } from '../form/form.ts';
import { type Action, useLive } from '../session/hooks.ts';
import type { Session } from '../session/session.ts';
import type { Collection, StoredItem } from '../session/types.ts';
import { type Item, columnsOf, fieldsOf, freshSample, nameItem, renderCell } from './members.ts';
import type { Undo } from './undo.ts';

export interface CollectionItemsProps {
  readonly session: Session;
  readonly collection: Collection;
  readonly action: Action;
  readonly undo: Undo;
  /** Counts what was changed here, so that it is loaded again. */
  readonly changes: number;
  readonly onChanged: () => void;
}

/** So many items are shown at once. */
const pageSize = 25;

type Editing =
  | { readonly kind: 'add'; readonly item: Item }
  | { readonly kind: 'edit'; readonly one: StoredItem };

/** One collection: its items, filtered and paged, and a form for one of them. */
export function CollectionItems(props: CollectionItemsProps): Html {
  const { session, collection, action, undo, changes, onChanged } = props;
  const { control, sandbox } = session;
  const { path } = collection;
  const [text, setText] = useState('');
  const [offset, setOffset] = useState(0);
  const [editing, setEditing] = useState<Editing>();
  const { value, error } = useLive(
    session,
    ['items', 'requests'],
    async () => ({
      ...(await control.call('listItems', {
        sandbox,
        collection: path,
        offset,
        limit: pageSize,
        ...(text !== '' && { text }),
      })),
      of: `${offset} ${text}`,
    }),
    [path, text, offset, changes],
  );
  useEffect(() => {
    // What is shown may still be that of another page.
    if (value?.of === `${offset} ${text}` && offset > 0 && offset >= value.total)
      setOffset(Math.max(0, Math.ceil(value.total / pageSize) - 1) * pageSize);
  }, [value, offset, text]);

  const addButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (editing === undefined) return undefined;
    return () => {
      // Where nothing else has taken it, the focus goes back.
      queueMicrotask(() => document.activeElement === document.body && addButton.current?.focus());
    };
  }, [editing]);

  const filter = (next: string): void => {
    setText(next);
    setOffset(0);
  };
  const add = async (body: Item): Promise<void> => {
    const { id, item } = await control.call('addItem', { sandbox, collection: path, body });
    undo.offer({
      text: `${nameItem(id, item)} is added.`,
      undo: async () => await control.call('removeItem', { sandbox, collection: path, item: id }),
      takesFocus: true,
    });
    // New items are on the last page.
    setText('');
    setOffset(Math.floor(collection.count / pageSize) * pageSize);
  };
  const replace = async ({ id, item }: StoredItem, body: Item): Promise<void> => {
    const call = async (to: Item) =>
      await control.call('replaceItem', { sandbox, collection: path, item: id, body: to });
    await call(body);
    undo.offer({
      text: `${nameItem(id, body)} is changed.`,
      undo: async () => await call(item),
      takesFocus: true,
    });
  };
  const save = async (body: Item): Promise<void> => {
    await (editing?.kind === 'edit' ? replace(editing.one, body) : add(body));
    setEditing(undefined);
    onChanged();
  };
  const remove = ({ id, item }: StoredItem): void =>
    void action
      .run(async () => {
        await control.call('removeItem', { sandbox, collection: path, item: id });
        undo.offer({
          text: `${nameItem(id, item)} is removed.`,
          takesFocus: true,
          undo: async () =>
            await control.call('addItem', { sandbox, collection: path, body: item }),
        });
      })
      .then(onChanged);

  const items = value?.items ?? [];
  const open = (): void =>
    setEditing({
      kind: 'add',
      item: freshSample(
        collection,
        items.map(({ item }) => item),
      ),
    });
  const isNew = editing?.kind === 'add';
  return html`<div class="tools">
      <button type="button" class="main" ref=${addButton} aria-disabled=${isNew ? 'true' : undefined} onClick=${open}>Add an item</button>
      <label class="inline">Search <input type="search" value=${text} onInput=${(event: Event) => filter(textOf(event))} /></label>
      <${Pages} total=${value?.total ?? 0} offset=${offset} onOffset=${setOffset} />
    </div>
    ${
      editing !== undefined &&
      html`<${Form}
        key=${editing.kind === 'add' ? 'add' : `edit ${editing.one.id}`}
        title=${editing.kind === 'add' ? `Add to ${path}` : `Edit ${editing.one.id}`}
        sandbox=${sandbox}
        fields=${fieldsOf(collection, isNew && collection.id !== undefined && editing.item[collection.id] === undefined)}
        value=${editing.kind === 'add' ? editing.item : editing.one.item}
        rest="Other members, as JSON"
        submit=${[isNew ? 'Add' : 'Save']}
        onSubmit=${save}
        onCancel=${() => setEditing(undefined)}
      />`
    }
    <${ErrorLine} text=${error} />
    ${
      items.length === 0
        ? html`<p class="soft">${value !== undefined && (text === '' ? 'No items.' : 'No item contains this text.')}</p>`
        : html`<${ItemTable}
            label=${`Items of ${path}`}
            columns=${columnsOf(
              collection,
              items.map(({ item }) => item),
            )}
            items=${items}
            onEdit=${(one: StoredItem) => setEditing({ kind: 'edit', one })}
            onRemove=${remove}
          />`
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
              <button type="button" class="quiet fold" data-item=${one.id} aria-expanded=${open.has(one.id)} aria-label=${`Item ${one.id}`} onClick=${() => toggle(one.id)}>
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
