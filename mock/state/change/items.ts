import { isJsonObject, parseJson } from '../../../contract/index.ts';
import type { Collection } from '../../store/collection.ts';
import { Inventory, type StoredItem } from '../../store/inventory.ts';
import { standingIds } from '../../store/item-id.ts';
import type { Store, StoreMark } from '../../store/store.ts';
import type { CollectionChange, KeptItem, SandboxChange } from './change.ts';

/** What has changed in the items of a store; undefined for nothing. */
export function captureCollections(
  store: Store,
  before: Pick<StoreMark, 'inventories' | 'own'>,
): readonly CollectionChange[] | undefined {
  const { inventories } = store;
  const changes = [...inventories].flatMap(([path, inventory]): CollectionChange[] => {
    if (before.inventories.get(path) !== inventory)
      return [{ kind: 'whole', path, ...keepInventory(inventory) }];
    const mark = before.own.get(path);
    if (mark === undefined || (mark.noted.size === 0 && mark.position === inventory.position))
      return [];
    const now = [...mark.noted.keys()].map((id) => ({ id, item: inventory.get(id) }));
    const put = now.flatMap(({ item }) => (item === undefined ? [] : [keepItem(item)]));
    const gone = now.flatMap(({ id, item }) => (item === undefined ? [id] : []));
    return [{ kind: 'part', path, put, gone, position: inventory.position }];
  });
  const left = [...before.inventories.keys()].filter((path) => !inventories.has(path));
  const all = [...changes, ...left.map((path) => ({ kind: 'seed', path }) as const)];
  return all.length === 0 ? undefined : all;
}

/** What has changed in what has no place in a store; members that have not are left out. */
export function captureMisplaced(
  { aside, former }: Pick<Store, 'aside' | 'former'>,
  before: Pick<StoreMark, 'aside' | 'former'>,
): Pick<SandboxChange, 'aside' | 'former'> {
  const items = changedPaths(aside, before.aside).map((path) => {
    return { path, items: aside.get(path)?.map(keepItem) ?? null };
  });
  const positions = changedPaths(former, before.former).map((path) => {
    return { path, position: former.get(path)?.position ?? null };
  });
  return {
    ...(items.length === 0 ? {} : { aside: items }),
    ...(positions.length === 0 ? {} : { former: positions }),
  };
}

function changedPaths<Value>(
  now: ReadonlyMap<string, Value>,
  before: ReadonlyMap<string, Value>,
): readonly string[] {
  return [...new Set([...now.keys(), ...before.keys()])].filter(
    (path) => now.get(path) !== before.get(path),
  );
}

/** An inventory as data. */
export function keepInventory(inventory: Inventory) {
  return { items: inventory.items.map(keepItem), position: inventory.position };
}

function keepItem({ id, text }: StoredItem): KeptItem {
  return { id, text };
}

/** Where changes of items go. */
export interface ItemsTarget {
  readonly store: Store;
  readonly collections: readonly Collection[];
  /** The items fit the document: it is the one that they were stored for. */
  readonly isTrusted: boolean;
}

/** Makes the changes. What does not fit the document is set aside. */
export function applyCollections(
  { store, collections, isTrusted }: ItemsTarget,
  changes: readonly CollectionChange[],
): void {
  for (const change of changes) {
    const { path } = change;
    const collection = collections.find((one) => one.path === path);
    if (change.kind === 'seed') {
      store.put(path, undefined);
      store.setAside(path, undefined);
      store.setFormer(path, undefined);
    } else if (collection === undefined) setAside(store, change);
    else if (change.kind === 'whole') {
      const { inventory, unfit } = openInventory(collection, change, isTrusted);
      store.put(path, inventory);
      store.setAside(path, unfit.length === 0 ? undefined : unfit);
    } else changePart(store, collection, change, isTrusted);
  }
}

type Stored = Exclude<CollectionChange, { readonly kind: 'seed' }>;

function changePart(
  store: Store,
  collection: Collection,
  change: Extract<CollectionChange, { readonly kind: 'part' }>,
  isTrusted: boolean,
): void {
  const { path, put, gone, position } = change;
  const inventory = store.write(collection);
  for (const id of [...gone, ...put.map((item) => item.id)]) inventory.remove(id);
  const unfit = putItems(collection, inventory, put, isTrusted);
  inventory.position = position;
  const named = new Set([...gone, ...put.map(({ id }) => id)]);
  const aside = store.aside.get(path) ?? [];
  if (unfit.length > 0 || aside.some(({ id }) => named.has(id)))
    keepAside(store, path, [...aside.filter(({ id }) => !named.has(id)), ...unfit]);
}

/** The document has no such collection: the items wait for one that has. */
function setAside(store: Store, change: Stored): void {
  const { path, position } = change;
  const [items, gone] = change.kind === 'whole' ? [change.items, []] : [change.put, change.gone];
  const named = new Set([...gone, ...items.map(({ id }) => id)]);
  const before = change.kind === 'whole' ? [] : (store.aside.get(path) ?? []);
  store.setAside(path, [...before.filter(({ id }) => !named.has(id)), ...items.map(bareItem)]);
  store.setFormer(path, formerInventory(position));
}

function keepAside(store: Store, path: string, items: readonly StoredItem[]): void {
  store.setAside(path, items.length === 0 ? undefined : items);
}

/** An inventory of which nothing is known but where its ids stood. */
export function formerInventory(position: number | bigint): Inventory {
  return new Inventory(0, 'ascending', standingIds(position));
}

/** An item that waits to be read for a collection. */
export function bareItem({ id, text }: KeptItem): StoredItem {
  return { id, text, sortKey: id, indexedValues: [] };
}

/** The inventory that was kept, and what of it does not fit the collection. */
export function openInventory(
  collection: Collection,
  { items, position }: { readonly items: readonly KeptItem[]; readonly position: number | bigint },
  isTrusted: boolean,
): { readonly inventory: Inventory; readonly unfit: readonly StoredItem[] } {
  const inventory = collection.form.open();
  const unfit = putItems(collection, inventory, items, isTrusted);
  inventory.position = position;
  return { inventory, unfit };
}

function putItems(
  { resource, form }: Collection,
  inventory: Inventory,
  items: readonly KeptItem[],
  isTrusted: boolean,
): readonly StoredItem[] {
  return items
    .filter((item) => {
      const value = parseJson(item.text);
      const fits = isJsonObject(value) && (isTrusted || resource.item.validate(value).length === 0);
      const stored = fits ? form.render(value) : undefined;
      if (stored !== undefined) inventory.put(stored);
      return stored === undefined;
    })
    .map(bareItem);
}

/** Makes the changes of what has no place in the document. */
export function applyMisplaced(
  { store, collections, isTrusted }: ItemsTarget,
  { aside = [], former = [] }: Pick<SandboxChange, 'aside' | 'former'>,
): void {
  for (const { path, items } of aside) {
    const told = items?.map(bareItem) ?? [];
    // What does not fit another document is not known to those who serve that one.
    const own = isTrusted ? [] : (store.aside.get(path) ?? []);
    const others = own.filter(({ id }) => told.every((item) => item.id !== id));
    // One that is told is there, even without items: its collection is not as in the seed.
    store.setAside(path, items === null && others.length === 0 ? undefined : [...others, ...told]);
  }
  for (const { path, position } of former)
    store.setFormer(path, position === null ? undefined : formerInventory(position));
  // What had no place in their document may have one in this.
  if (!isTrusted && aside.length > 0) store.convert(collections);
}
