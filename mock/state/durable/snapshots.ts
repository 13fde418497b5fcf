import type { Snapshot } from '../../sandbox/sandbox.ts';
import type { Collection } from '../../items/collection.ts';
import { Inventory, type InventoryFacts } from '../../items/store/inventory.ts';
import { type Item, type ItemId, openItem } from '../../items/store/item.ts';
import { isJsonObject, parseJson, renderJson } from '../../../contract/json/value.ts';
import { type StoredEntity, type StoredSnapshot, unreadable } from './facts.ts';

export function storeSnapshot({ state, buckets, ...rest }: Snapshot): StoredSnapshot {
  const collections: StoredSnapshot['collections'][number][] = [];
  const entities: StoredSnapshot['entities'][number][] = [];
  for (const [path, { form, items, facts, position }] of state)
    if (form.isPlain)
      collections.push({ path, items: items.map(({ id, text }) => ({ id, text })), position });
    else
      entities.push({
        path,
        isOrphaned: facts.isOrphaned,
        isDisclosed: facts.isDisclosed,
        made: position,
        entities: items.map(storeEntity),
        aliases: [...facts.aliases].map(([name, id]) => ({ name, key: `${id}` })),
        removed: [...facts.removed].map(String),
      });
  const counts = [...buckets].map(([key, bucket]) => ({ key, bucket }));
  return { ...rest, collections, entities, buckets: counts };
}

/** An item that responses show in different ways, as it is stored. */
export function storeEntity(item: Item): StoredEntity {
  const { absent, ...entity } = openItem(item);
  return { ...entity, absent: [...absent] };
}

/** `place` grows in the order of its partition. */
export function openEntity({ key, members, absent, ...facts }: StoredEntity, place: number): Item {
  return {
    id: key,
    sortKey: place,
    indexedValues: [],
    text: renderJson(members),
    facts: {
      made: facts.made,
      absent: new Set(absent),
      createdAt: facts.createdAt,
      changedAt: facts.changedAt,
    },
  };
}

/** An inventory of items that responses show in different ways. */
export function openPartition(
  items: readonly Item[],
  position: number | bigint,
  facts: InventoryFacts,
): Inventory {
  const inventory = new Inventory({ indexed: 0, order: 'ascending', isPlain: false });
  for (const item of items) inventory.put(item);
  inventory.facts = facts;
  inventory.position = position;
  return inventory;
}

/** `open`: the inventory of a collection whose items are kept as text; undefined where it cannot be served now. */
export function openSnapshot(
  { collections, entities, buckets, rules = '', ...rest }: StoredSnapshot,
  open: (
    path: string,
  ) => { readonly collection: Collection; readonly similar: Inventory } | undefined,
): Snapshot {
  const state = new Map<string, Inventory>();
  for (const { path, items, position } of collections) {
    const texts = new Map(items.map(({ id, text }) => [id, text]));
    const known = open(path);
    state.set(
      path,
      known === undefined
        ? bareInventory(texts, position)
        : filled(known.similar, known.collection, texts, position),
    );
  }
  for (const { path, entities: stored, aliases, removed, made, ...flags } of entities) {
    const items = stored.map((entity, index) => openEntity(entity, index + 1));
    const facts = {
      ...flags,
      aliases: new Map(aliases.map(({ name, key }) => [name, key])),
      removed: new Set(removed),
    };
    state.set(path, openPartition(items, made, facts));
  }
  const counts = new Map(buckets.map(({ key, bucket }) => [key, bucket]));
  return { ...rest, state, buckets: counts, rules };
}

/** An inventory with the stored items: the similar one if it has the same, else a copy. */
function filled(
  similar: Inventory,
  collection: Collection,
  texts: ReadonlyMap<ItemId, string>,
  position: number | bigint,
): Inventory {
  const isSame =
    similar.position === position &&
    similar.size === texts.size &&
    similar.items.every(({ id, text }) => texts.get(id) === text);
  if (isSame) return similar;
  const copy = similar.copy();
  fill(copy, collection, texts);
  copy.position = position;
  return copy;
}

/** Makes the items of a collection those that are stored. `similar`: may have some of them. */
export function fill(
  inventory: Inventory,
  collection: Collection,
  stored: ReadonlyMap<ItemId, string>,
  similar?: Inventory,
): void {
  for (const { id } of inventory.items.filter((item) => stored.get(item.id) !== item.text))
    inventory.remove(id);
  for (const [id, text] of stored) {
    if (inventory.has(id)) continue;
    const known = similar?.get(id);
    const item = known?.text === text ? known : storedItem(collection, text);
    if (item === undefined) throw unreadable(new Error(`${text} is not an item`));
    inventory.put(item);
  }
}

/** An item in the form of its collection; undefined if it does not fit. */
function storedItem(collection: Collection, text: string): Item | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? collection.closePlain(value) : undefined;
}

/** Items that are not in the form of a collection yet. */
export function bareItems(texts: ReadonlyMap<ItemId, string>): readonly Item[] {
  return [...texts].map(([id, text]) => ({
    id,
    text,
    sortKey: id,
    indexedValues: [],
    facts: undefined,
  }));
}

/** An inventory of a collection that the document may not have. */
export function bareInventory(
  texts: ReadonlyMap<ItemId, string>,
  position: number | bigint,
): Inventory {
  const inventory = new Inventory({ indexed: 0, order: 'ascending', isPlain: true });
  for (const item of bareItems(texts)) inventory.put(item);
  inventory.position = position;
  return inventory;
}
