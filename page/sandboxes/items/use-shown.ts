import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../../session/session.ts';
import { type ItemPage, type ItemQuery, loadItems } from './load-items.ts';

/** Which items of a collection are shown. */
export type ItemPlace = Pick<ItemQuery, 'text' | 'offset'>;

/** An item to be brought in sight. */
export interface Shown {
  /** Says where it is, and gives its row the focus once it is there. */
  readonly show: (id: string) => Promise<void>;
  /** It is sought no more. */
  readonly forget: () => void;
}

export function useShown(page: ItemPage | undefined, find: Shown['show']): Shown {
  const [sought, setSought] = useState<string>();
  useEffect(() => {
    if (sought === undefined || page?.items.every(({ id }) => id !== sought) !== false) return;
    const row = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(sought)}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
    setSought(undefined);
  }, [sought, page]);
  return {
    async show(id) {
      await find(id);
      setSought(id);
    },
    forget: () => setSought(undefined),
  };
}

/** Where an item is found: new ones are on the last page of all; any other by its identifier. */
export async function findItem(
  session: Session,
  { collection, limit }: Pick<ItemQuery, 'collection' | 'limit'>,
  id: string,
): Promise<ItemPlace> {
  const all = { collection, limit, text: '' };
  const { total } = await loadItems(session, { ...all, offset: 0, limit: 1 });
  const offset = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const { items } = await loadItems(session, { ...all, offset });
  return items.some((one) => one.id === id) ? { text: '', offset } : { text: id, offset: 0 };
}
