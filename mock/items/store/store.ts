import type { JsonObject } from '../../../contract/json/value.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { renderIssues } from '../../http/issue-message.ts';
import type { Inventory } from './inventory.ts';
import { type Item, type ItemId, itemBytes, readMembers } from './item.ts';

/** Inventories by path. They are shared, so nobody changes them. */
export type StoredState = ReadonlyMap<string, Inventory>;

/** What the store needs to know of a collection. */
interface StoredCollection {
  readonly path: string;
  readonly seed: Inventory | undefined;
  readonly itemSchema: SchemaNode | undefined;
  openEmpty(): Inventory;
  /** An item that fits, as it is kept; undefined if its id can name nothing. */
  closePlain(item: JsonObject): Item | undefined;
}

/** An item without a place in the document. It comes back when it fits again. */
export interface MisplacedItem {
  /** Path of the collection. */
  readonly path: string;
  readonly id: ItemId;
  readonly reason: string;
}

/**
 * What one sandbox stores, by the paths of collections, with the ids of parents. An inventory that is
 * shared, with the seed or a snapshot, is copied when first written to: reading costs nothing.
 */
export class Store {
  readonly #shared = new Map<string, Inventory>();
  readonly #own = new Map<string, Inventory>();
  readonly #aside = new Map<string, readonly Item[]>();
  /** Inventories of collections that have no place now: what ids they gave. */
  readonly #former = new Map<string, Inventory>();
  #asideBytes = 0;
  #bytes = 0;
  /** What of each own inventory is in `#bytes`. */
  readonly #counted = new Map<Inventory, number>();
  /** Inventories that may have changed since they were counted. */
  readonly #touched = new Set<Inventory>();
  /** Nothing more may be kept: what is read for the first time is made, and forgotten. */
  isFull = false;

  /** What everything here costs in memory; what sandboxes share with the seed is not counted. */
  get bytes(): number {
    for (const inventory of this.#touched) {
      this.#bytes += inventory.bytes - (this.#counted.get(inventory) ?? 0);
      this.#counted.set(inventory, inventory.bytes);
    }
    this.#touched.clear();
    return this.#bytes + this.#asideBytes;
  }

  /** What is at a path, for reading only. */
  find(path: string): Inventory | undefined {
    return this.#own.get(path) ?? this.#shared.get(path);
  }

  /**
   * What is at a path, for changing it. `open` gives what is there at first; it is forgotten again where
   * nothing more may be kept, unless it `isKept`.
   */
  open(path: string, open: () => Inventory, isKept: boolean): Inventory {
    const own = this.#own.get(path);
    if (own !== undefined) {
      this.#touched.add(own);
      return own;
    }
    const shared = this.#shared.get(path);
    const opened = shared?.copy() ?? open();
    if (shared !== undefined || isKept || !this.isFull) this.put(path, opened);
    return opened;
  }

  /** Inventories that are no more as in the seed, by path. */
  get inventories(): ReadonlyMap<string, Inventory> {
    return new Map([...this.#shared, ...this.#own]);
  }

  /** Items were used that responses show in different ways. */
  get isUsed(): boolean {
    for (const { form } of this.#own.values()) if (!form.isPlain) return true;
    for (const { form } of this.#shared.values()) if (!form.isPlain) return true;
    return false;
  }

  /** Items without a place, by the path of their collection. */
  get aside(): ReadonlyMap<string, readonly Item[]> {
    return this.#aside;
  }

  /** Inventories of collections that have no place now, by path. */
  get former(): ReadonlyMap<string, Inventory> {
    return this.#former;
  }

  /** Puts an inventory in the place of what a collection has; undefined for that of the seed. */
  put(path: string, inventory: Inventory | undefined): void {
    this.#forget(this.#own, path);
    this.#forget(this.#shared, path);
    if (inventory === undefined) return;
    this.#own.set(path, inventory);
    this.#touched.add(inventory);
  }

  #forget(inventories: Map<string, Inventory>, path: string): void {
    const before = inventories.get(path);
    if (before === undefined) return;
    inventories.delete(path);
    this.#bytes -= this.#counted.get(before) ?? 0;
    this.#counted.delete(before);
    this.#touched.delete(before);
  }

  /** Removes all items within the item of a path. */
  removeWithin(path: string): void {
    for (const [other, inventory] of this.inventories)
      if (other.startsWith(`${path}/`)) this.open(other, () => inventory, true).orphan();
  }

  /** Replaces what has no place in a collection, and what is known of its ids. */
  setAside(path: string, items: readonly Item[] | undefined): void {
    this.#asideBytes += asideBytes(items) - asideBytes(this.#aside.get(path));
    if (items === undefined) this.#aside.delete(path);
    else this.#aside.set(path, items);
  }

  setFormer(path: string, inventory: Inventory | undefined): void {
    this.#forget(this.#former, path);
    if (inventory === undefined) return;
    this.#former.set(path, inventory);
    this.#touched.add(inventory);
  }

  /** The state as it is now. Later changes do not reach it. */
  keep(collections: readonly StoredCollection[]): StoredState {
    for (const [path, inventory] of this.#own) this.#shared.set(path, inventory);
    this.#own.clear();
    const seeds = collections.flatMap(({ path, seed }) =>
      seed === undefined ? [] : [[path, seed] as const],
    );
    return new Map([...seeds, ...this.#shared]);
  }

  /** Puts a state in the place of everything. Collections that it leaves out have their seed. */
  restore(state: StoredState): void {
    this.#own.clear();
    this.#shared.clear();
    this.#aside.clear();
    this.#asideBytes = 0;
    this.#former.clear();
    this.#counted.clear();
    this.#touched.clear();
    this.#bytes = 0;
    for (const [path, inventory] of state) {
      this.#shared.set(path, inventory);
      this.#touched.add(inventory);
    }
  }

  /** Keeps the items in the form of other collections, and gives those that do not fit. */
  convert(collections: readonly StoredCollection[]): readonly MisplacedItem[] {
    const before = this.inventories;
    const former = new Map([...this.#former, ...before]);
    const aside = new Map(this.#aside);
    this.restore(new Map([...before].filter(([, { form }]) => !form.isPlain)));
    const plain = [...before].flatMap(([path, { form }]) => (form.isPlain ? [path] : []));
    const paths = new Set([...plain, ...aside.keys()]);
    return [...paths].flatMap((path) => {
      const items = [...(before.get(path)?.items ?? []), ...(aside.get(path) ?? [])];
      const collection = collections.find((one) => one.path === path);
      return this.#place(path, items, former.get(path), collection);
    });
  }

  #place(
    path: string,
    items: readonly Item[],
    former: Inventory | undefined,
    collection: StoredCollection | undefined,
  ): readonly MisplacedItem[] {
    if (collection === undefined) {
      this.setAside(path, items);
      if (former !== undefined) this.setFormer(path, former);
      return items.map(({ id }) => ({ path, id, reason: 'The document has no such collection.' }));
    }
    const inventory = collection.openEmpty();
    if (former !== undefined) inventory.follow(former);
    const judged = items.map((item) => ({ item, reason: store(collection, inventory, item) }));
    this.put(path, inventory);
    const misplaced = judged.filter(({ reason }) => reason !== undefined);
    const left = misplaced.map(({ item }) => item);
    if (left.length > 0) this.setAside(path, left);
    return misplaced.map(({ item: { id }, reason = '' }) => ({ path, id, reason }));
  }
}

function asideBytes(items: readonly Item[] = []): number {
  return items.reduce((sum, item) => sum + itemBytes(item), 0);
}

/** Why an item cannot be stored; undefined once it is. */
function store(
  collection: StoredCollection,
  inventory: Inventory,
  { text }: Item,
): string | undefined {
  const value = readMembers(text);
  const issues = collection.itemSchema?.validate(value) ?? [];
  const stored = issues.length === 0 ? collection.closePlain(value) : undefined;
  if (stored === undefined)
    return issues.length === 0 ? 'It has nothing that names it.' : `${renderIssues(issues)}.`;
  if (inventory.has(stored.id)) return 'Another item has taken its place.';
  inventory.put(stored);
  return undefined;
}
