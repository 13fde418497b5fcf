import { isJsonObject, parseJson } from '../../contract/index.ts';
import type { Collection } from './collection.ts';
import { type Inventory, type StoredItem, itemBytes } from './inventory.ts';
import type { ItemId } from './item-id.ts';
import { EntityStore } from './entities/entity-store.ts';
import { renderIssues } from '../http/issue-message.ts';

/** Inventories by collection path. They are shared, so nobody changes them. */
export type StoredState = ReadonlyMap<string, Inventory>;

/** An item without a place in the document. It comes back when it fits again. */
export interface MisplacedItem {
  /** Path of the collection. */
  readonly path: string;
  readonly id: ItemId;
  readonly reason: string;
}

/** What one sandbox stores. A collection is copied when first written to: reading costs nothing. */
export class Store {
  /** Items of resources that are only inferred. */
  readonly entities = new EntityStore();
  readonly #shared = new Map<string, Inventory>();
  readonly #own = new Map<string, Inventory>();
  readonly #aside = new Map<string, readonly StoredItem[]>();
  /** Inventories of collections that have no place now: what ids they gave. */
  readonly #former = new Map<string, Inventory>();
  #asideBytes = 0;

  /** What everything here costs in memory; what sandboxes share with the seed is not counted. */
  get bytes(): number {
    return (
      this.entities.bytes +
      this.#asideBytes +
      bytesOf(this.#own) +
      bytesOf(this.#shared) +
      bytesOf(this.#former)
    );
  }

  /** The items of a collection, for reading only. */
  read({ path, seed }: Collection): Inventory {
    return this.#own.get(path) ?? this.#shared.get(path) ?? seed;
  }

  /** The items of a collection, for changing them. */
  write(collection: Collection): Inventory {
    const { path } = collection;
    const own = this.#own.get(path);
    if (own !== undefined) return own;
    const copy = this.read(collection).copy();
    this.#shared.delete(path);
    this.#own.set(path, copy);
    return copy;
  }

  /** Inventories of the collections that are no more as in the seed, by path. */
  get inventories(): ReadonlyMap<string, Inventory> {
    return new Map([...this.#shared, ...this.#own]);
  }

  /** Items without a place, by the path of their collection. */
  get aside(): ReadonlyMap<string, readonly StoredItem[]> {
    return this.#aside;
  }

  /** Inventories of collections that have no place now, by path. */
  get former(): ReadonlyMap<string, Inventory> {
    return this.#former;
  }

  /** Puts an inventory in the place of what a collection has; undefined for that of the seed. */
  put(path: string, inventory: Inventory | undefined): void {
    this.#shared.delete(path);
    if (inventory === undefined) this.#own.delete(path);
    else this.#own.set(path, inventory);
  }

  /** Replaces what has no place in a collection, and what is known of its ids. */
  setAside(path: string, items: readonly StoredItem[] | undefined): void {
    this.#asideBytes += asideBytes(items) - asideBytes(this.#aside.get(path));
    if (items === undefined) this.#aside.delete(path);
    else this.#aside.set(path, items);
  }

  setFormer(path: string, inventory: Inventory | undefined): void {
    if (inventory === undefined) this.#former.delete(path);
    else this.#former.set(path, inventory);
  }

  /** The state as it is now. Later changes do not reach it. */
  keep(collections: readonly Collection[]): StoredState {
    for (const [path, inventory] of this.#own) this.#shared.set(path, inventory);
    this.#own.clear();
    return new Map(collections.map((collection) => [collection.path, this.read(collection)]));
  }

  /** Puts a state in the place of everything. Collections that it leaves out have their seed. */
  restore(state: StoredState): void {
    this.entities.clear();
    this.#replace(state);
  }

  #replace(state: StoredState): void {
    this.#own.clear();
    this.#shared.clear();
    this.#aside.clear();
    this.#asideBytes = 0;
    this.#former.clear();
    for (const [path, inventory] of state) this.#shared.set(path, inventory);
  }

  /** Keeps the items in the form of other collections, and gives those that do not fit. */
  convert(collections: readonly Collection[]): readonly MisplacedItem[] {
    const before = new Map([...this.#shared, ...this.#own]);
    const former = new Map([...this.#former, ...before]);
    const aside = new Map(this.#aside);
    this.#replace(new Map());
    const paths = new Set([...before.keys(), ...aside.keys()]);
    return [...paths].flatMap((path) => {
      const items = [...(before.get(path)?.items ?? []), ...(aside.get(path) ?? [])];
      const collection = collections.find((one) => one.path === path);
      return this.#place(path, items, former.get(path), collection);
    });
  }

  #place(
    path: string,
    items: readonly StoredItem[],
    former: Inventory | undefined,
    collection: Collection | undefined,
  ): readonly MisplacedItem[] {
    if (collection === undefined) {
      this.setAside(path, items);
      if (former !== undefined) this.#former.set(path, former);
      return items.map(({ id }) => ({ path, id, reason: 'The document has no such collection.' }));
    }
    const inventory = collection.form.open();
    if (former !== undefined) inventory.follow(former);
    const judged = items.map((item) => ({ item, reason: store(collection, inventory, item) }));
    this.#own.set(path, inventory);
    const aside = judged.filter(({ reason }) => reason !== undefined);
    const left = aside.map(({ item }) => item);
    if (left.length > 0) this.setAside(path, left);
    return aside.map(({ item: { id }, reason = '' }) => ({ path, id, reason }));
  }
}

/** Asked for with each write: where there is nothing it costs nothing. */
function bytesOf(inventories: ReadonlyMap<string, Inventory>): number {
  if (inventories.size === 0) return 0;
  let bytes = 0;
  for (const inventory of inventories.values()) bytes += inventory.bytes;
  return bytes;
}

function asideBytes(items: readonly StoredItem[] = []): number {
  return items.reduce((sum, item) => sum + itemBytes(item), 0);
}

/** Why an item cannot be stored; undefined once it is. */
function store(
  { resource, form }: Collection,
  inventory: Inventory,
  { text }: StoredItem,
): string | undefined {
  const value = parseJson(text);
  const issues = resource.item.validate(value);
  const stored = issues.length === 0 && isJsonObject(value) ? form.render(value) : undefined;
  if (stored === undefined)
    return issues.length === 0 ? 'It has nothing that names it.' : `${renderIssues(issues)}.`;
  if (inventory.has(stored.id)) return 'Another item has taken its place.';
  inventory.put(stored);
  return undefined;
}
