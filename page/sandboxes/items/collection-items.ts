import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import type { Collection } from '../../session/types.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { textOf } from '../panel/form-data.ts';
import { ErrorLine } from '../panel/panel.ts';
import type { Action } from '../panel/use-action.ts';
import { useRefresh } from '../panel/use-refresh.ts';
import { ItemForm } from './item-form.ts';
import { nameItem } from './item-name.ts';
import { ItemTable } from './item-table.ts';
import { type ExactItem, loadItems } from './load-items.ts';
import { type Item, columnsOf } from './members.ts';
import type { Undo } from './undo.ts';
import { findItem, useShown } from './use-shown.ts';

export interface CollectionItemsProps {
  readonly session: Session;
  readonly collection: Collection;
  readonly action: Action;
  readonly undo: Undo;
  /** Counts what was changed here, so that it is loaded again. */
  readonly changes: number;
  readonly onChanged: () => void;
}

type Editing = { readonly kind: 'add' } | { readonly kind: 'change'; readonly one: ExactItem };

/** So many items are shown at once. */
const limit = 25;

/** One collection: its items, filtered and paged, and a form for one of them. */
export function CollectionItems(props: CollectionItemsProps): Html {
  const { session, collection, action, undo, changes, onChanged } = props;
  const { control, sandbox, mock } = session;
  const { path } = collection;
  const [text, setText] = useState('');
  const [offset, setOffset] = useState(0);
  const [editing, setEditing] = useState<Editing>();
  const { value, error, reload } = useLoaded(
    async () => ({
      ...(await loadItems(session, { collection: path, text, offset, limit })),
      of: `${offset} ${text}`,
    }),
    [mock.instance, sandbox, path, text, offset, changes],
  );
  useRefresh(session, ['items', 'requests'], reload);
  useEffect(() => {
    // What is shown may still be that of another page.
    if (value?.of === `${offset} ${text}` && offset > 0 && offset >= value.total)
      setOffset(Math.max(0, Math.ceil(value.total / limit) - 1) * limit);
  }, [value, offset, text]);

  const addButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (editing === undefined) return undefined;
    return () => {
      // Where nothing else has taken it, the focus goes back.
      queueMicrotask(() => document.activeElement === document.body && addButton.current?.focus());
    };
  }, [editing]);

  const shown = useShown(value, async (id) => {
    const place = await findItem(session, { collection: path, limit }, id);
    setText(place.text);
    setOffset(place.offset);
  });

  const add = async (body: Item): Promise<void> => {
    const { id, item } = await control.call('addItem', { sandbox, collection: path, body });
    undo.offer({
      text: `${nameItem(id, item)} is added.`,
      show: async () => await shown.show(id),
      takesFocus: true,
    });
    onChanged();
  };
  const replace = async ({ id, item }: ExactItem, body: Item): Promise<void> => {
    const call = async (to: Item) =>
      await control.call('replaceItem', { sandbox, collection: path, item: id, body: to });
    await call(body);
    undo.offer({
      text: `${nameItem(id, body)} is changed.`,
      undo: async () => await call(item),
      takesFocus: true,
    });
    onChanged();
  };
  const remove = ({ id, item }: ExactItem): void =>
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
  const form =
    editing !== undefined &&
    html`<${ItemForm}
      key=${editing.kind === 'add' ? 'add' : `change ${editing.one.id}`}
      title=${editing.kind === 'add' ? `Add to ${path}` : `Change ${editing.one.id}`}
      collection=${collection}
      item=${editing.kind === 'add' ? collection.sample : editing.one.item}
      submit=${editing.kind === 'add' ? 'Add' : 'Save'}
      onSubmit=${async (item: Item) => await (editing.kind === 'add' ? add(item) : replace(editing.one, item))}
      onClose=${() => setEditing(undefined)}
    />`;
  return html`<div class="tools">
      <button type="button" class="main" ref=${addButton} aria-disabled=${editing?.kind === 'add' ? 'true' : undefined} onClick=${() => setEditing({ kind: 'add' })}>Add an item</button>
      <label class="inline">Search <input type="search" value=${text} onInput=${(event: Event) => filter(textOf(event))} /></label>
      <${Pages} total=${value?.total ?? 0} offset=${offset} onOffset=${turn} />
    </div>
    ${form}
    <${ErrorLine} text=${error} />
    ${
      items.length === 0
        ? html`<p class="soft">${value === undefined ? '' : text === '' ? 'No items.' : 'No item has this text.'}</p>`
        : html`<${ItemTable}
            label=${`Items of ${path}`}
            columns=${columnsOf(
              collection,
              items.map(({ item }) => item),
            )}
            items=${items}
            onChange=${(one: ExactItem) => setEditing({ kind: 'change', one })}
            onRemove=${remove}
          />`
    }`;

  function filter(next: string): void {
    setText(next);
    turn(0);
  }

  function turn(to: number): void {
    shown.forget();
    setOffset(to);
  }
}

interface PagesProps {
  readonly total: number;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

function Pages({ total, offset, onOffset }: PagesProps): Html {
  const last = Math.min(total, offset + limit);
  if (total === 0) return null;
  return html`<span class="tools">
    <span class="soft" role="status">${`${offset + 1} to ${last} of ${total}`}</span>
    ${
      total > limit && [
        html`<button type="button" disabled=${offset === 0} onClick=${() => onOffset(Math.max(0, offset - limit))}>Previous</button>`,
        html`<button type="button" disabled=${last === total} onClick=${() => onOffset(offset + limit)}>Next</button>`,
      ]
    }
  </span>`;
}
