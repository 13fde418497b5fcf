import type { JsonObject } from '../../../contract/json/value.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { renderIssues } from '../../http/issue-message.ts';
import { Inventory, bareForm } from './inventory.ts';
import { type Item, type ItemId, readMembers } from './item.ts';

/** Inventories by path. They are shared, so nobody changes them. */
export type StoredState = ReadonlyMap<string, Inventory>;

/** What the store needs to know of a collection whose items are kept as all responses show them. */
interface StoredCollection {
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

/** Starts the path of items that do not fit the collection at the rest of it. */
const asideMark = 'aside:';

/** An inventory, and how much of it is in the weight of the store. */
interface Place {
  inventory: Inventory;
  isShared: boolean;
  counted: number;
}

/**
 * What one sandbox stores, by the paths of collections, with the ids of parents. An inventory that is
 * shared, with the seed or a snapshot, is copied when first written to: reading costs nothing.
 */
export class Store {
  readonly #places = new Map<string, Place>();
  #bytes = 0;
  /** Those that may have changed since they were counted. */
  readonly #touched = new Set<Place>();
  /** Nothing more may be kept: what is read for the first time is made, and forgotten. */
  isFull = false;

  /** What everything here costs in memory; what sandboxes share with the seed is not counted. */
  get bytes(): number {
    for (const place of this.#touched) {
      const { bytes } = place.inventory;
      this.#bytes += bytes - place.counted;
      place.counted = bytes;
    }
    this.#touched.clear();
    return this.#bytes;
  }

  /** What is at a path, for reading only. */
  find(path: string): Inventory | undefined {
    return this.#places.get(path)?.inventory;
  }

  /**
   * What is at a path, for changing it. `open` gives what is there at first; it is forgotten again where
   * nothing more may be kept, unless it `isKept`.
   */
  open(path: string, open: () => Inventory, isKept: boolean): Inventory {
    const place = this.#places.get(path);
    if (place === undefined) {
      const opened = open();
      if (isKept || !this.isFull) this.put(path, opened);
      return opened;
    }
    if (place.isShared) {
      place.inventory = place.inventory.copy();
      place.isShared = false;
    }
    this.#touched.add(place);
    return place.inventory;
  }

  /** Inventories that are no more as in the seed, by path. */
  get inventories(): StoredState {
    return new Map([...this.#places].map(([path, { inventory }]) => [path, inventory]));
  }

  /** Items were used that responses show in different ways. */
  get isUsed(): boolean {
    for (const { inventory } of this.#places.values()) if (!inventory.form.isPlain) return true;
    return false;
  }

  /** Items without a place, by the path of their collection. */
  get aside(): StoredState {
    const all = [...this.inventories].filter(([path]) => path.startsWith(asideMark));
    return new Map(all.map(([path, items]) => [path.slice(asideMark.length), items]));
  }

  /** Puts an inventory in the place of what a collection has; undefined for that of the seed. */
  put(path: string, inventory: Inventory | undefined, isShared = false): void {
    const before = this.#places.get(path);
    if (before !== undefined) {
      this.#places.delete(path);
      this.#touched.delete(before);
      this.#bytes -= before.counted;
    }
    if (inventory === undefined) return;
    const place = { inventory, isShared, counted: 0 };
    this.#places.set(path, place);
    this.#touched.add(place);
  }

  /** Removes all items within the item of a path. */
  removeWithin(path: string): void {
    for (const [other, { inventory }] of this.#places)
      if (other.startsWith(`${path}/`)) this.open(other, () => inventory, true).orphan();
  }

  /** The state as it is now, with the seeds of what was not used. Later changes do not reach it. */
  keep(
    collections: readonly { readonly path: string; readonly seed: Inventory | undefined }[],
  ): StoredState {
    const state = new Map<string, Inventory>();
    for (const { path, seed } of collections) if (seed !== undefined) state.set(path, seed);
    for (const [path, place] of this.#places) {
      place.isShared = true;
      state.set(path, place.inventory);
    }
    return state;
  }

  /** Puts a state in the place of everything. Collections that it leaves out have their seed. */
  restore(state: StoredState): void {
    this.#places.clear();
    this.#touched.clear();
    this.#bytes = 0;
    for (const [path, inventory] of state) this.put(path, inventory, true);
  }

  /** Keeps the items in the form of other collections, and returns those that do not fit. */
  convert(
    findCollection: (path: string) => StoredCollection | undefined,
  ): readonly MisplacedItem[] {
    const before = this.inventories;
    const paths = [...before.keys()].map((path) =>
      path.startsWith(asideMark) ? path.slice(asideMark.length) : path,
    );
    return [...new Set(paths)].flatMap((path) => {
      const found = [before.get(path), before.get(asideMark + path)];
      const plain = found.filter((one) => one?.form.isPlain === true);
      return plain.length === 0 ? [] : this.#place(path, plain, findCollection(path));
    });
  }

  #place(
    path: string,
    found: readonly (Inventory | undefined)[],
    collection: StoredCollection | undefined,
  ): readonly MisplacedItem[] {
    const aside = new Inventory(bareForm);
    const inventory = collection?.openEmpty();
    const misplaced: MisplacedItem[] = [];
    for (const former of found) {
      if (former === undefined) continue;
      aside.follow(former);
      inventory?.follow(former);
      for (const item of former.items) {
        const reason =
          collection === undefined || inventory === undefined
            ? 'The document has no such collection.'
            : store(collection, inventory, item);
        if (reason === undefined) continue;
        aside.put(item);
        misplaced.push({ path, id: item.id, reason });
      }
    }
    if (inventory !== undefined || this.find(path)?.form.isPlain === true)
      this.put(path, inventory);
    const isKept = aside.size > 0 || collection === undefined;
    this.put(asideMark + path, isKept ? aside : undefined);
    return misplaced;
  }
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
