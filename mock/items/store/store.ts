import { type JsonValue, isNumeric, renderJson } from '../../../contract/json/value.ts';
import { createRandom } from '../../../contract/sample/random.ts';
import { type IdMaker, numberIn, successor } from './ids.ts';
import {
  type Item,
  type ItemId,
  entryBytes,
  itemBytes,
  placeBytes,
  readMembers,
  textBytes,
} from './item.ts';

/** Order of lists. `none`: random in each response. */
export type ItemOrder = 'ascending' | 'descending' | 'none';

/** How many numbers are tried for a free id. */
const maxTries = 10_000;

/** The ordered items of one collection of certain parents, such as `/stores/7/pets`. */
export class Inventory {
  /** Responses show the members of its items unchanged. */
  readonly isPlain: boolean;
  readonly order: ItemOrder;
  readonly #byId = new Map<ItemId, Item>();
  /** All items, in ascending order. */
  readonly items: Item[] = [];
  readonly #aliases = new Map<string, ItemId>();
  /** Names of items that were removed. */
  readonly removed = new Set<ItemId>();
  /** The parent item was removed, and no item was added since. */
  isOrphaned = false;
  /** A list or a creation has shown ids of this collection to a client. */
  isDisclosed = false;
  /** Changes identity whenever an item changes. */
  revision: object = {};
  /** Names of items changed since the last `mark`, in the set that it returned; undefined before. */
  changed: Set<ItemId> | undefined;
  /** The next id; no id from here on was assigned. */
  position: number | bigint = 1;
  /** The seed that this inventory started from, stored once for all sandboxes. */
  #seed: ReadonlyMap<ItemId, Item> | undefined;
  /** Estimated memory: nothing for a seed, and little for items shared with the seed. */
  bytes: number;

  constructor(isPlain: boolean, order: ItemOrder = 'ascending') {
    this.isPlain = isPlain;
    this.order = order;
    this.bytes = isPlain ? 0 : entryBytes;
  }

  get size(): number {
    return this.items.length;
  }

  /** Starts tracking changes. The returned set stays the same while nothing has changed. */
  mark(): ReadonlySet<ItemId> {
    if (this.changed?.size !== 0) this.changed = new Set();
    return this.changed;
  }

  #noteChange(id: ItemId): void {
    this.revision = {};
    this.changed?.add(id);
  }

  /** Turns it into a seed: its items no longer count as memory, and copies share them. */
  seal(): void {
    this.#seed = this.#byId;
    this.bytes = 0;
  }

  /** Whether a client created the item: it exists, and is not from the seed. */
  isCreated(id: ItemId): boolean {
    const item = this.get(id);
    if (item?.facts !== undefined) return item.facts.createdAt !== undefined;
    return item !== undefined && this.#seed?.has(item.id) !== true;
  }

  /**
   * An id that no item has or had: the largest integer id plus one, and after the last integer the
   * smallest free one. Undefined if none is left.
   */
  nextId(ids: IdMaker): string | undefined {
    if (this.position < ids.first) this.position = ids.first;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const text = ids.make(this.position);
      this.position = text === undefined ? ids.first : successor(this.position);
      if (text !== undefined && !this.has(text)) return text;
    }
    return undefined;
  }

  /** Never again assigns ids that another inventory assigned or stored. */
  follow({ position }: Inventory): void {
    if (position > this.position) this.position = position;
  }

  /** Never assigns this id. */
  note(id: ItemId): void {
    if (typeof id !== 'string' && id >= this.position) this.position = successor(id);
  }

  has(id: ItemId): boolean {
    return this.get(id) !== undefined;
  }

  /** The item with an id, which may be a number written as text. */
  get(id: ItemId): Item | undefined {
    const number = typeof id === 'string' ? numberIn(id) : undefined;
    return (number === undefined ? undefined : this.#byId.get(number)) ?? this.#byId.get(id);
  }

  /** The item with this id or alias. */
  find(name: ItemId): Item | undefined {
    const own = this.get(name);
    if (own !== undefined || this.removed.has(name)) return own;
    return this.#byId.get(this.#aliases.get(`${name}`) ?? '');
  }

  /** Whether an item of that name was removed, by itself or with its parent. */
  isRemoved(name: ItemId): boolean {
    return (this.removed.has(name) || this.isOrphaned) && !this.#byId.has(name);
  }

  /** Whether the item of a name was removed with its parent, and not again since. */
  isOrphan(name: ItemId): boolean {
    return this.isRemoved(name) && !this.removed.has(name);
  }

  /** The sort key of an item; a new one sorts last. */
  placeOf(id: ItemId): JsonValue {
    const last = this.items.at(-1)?.sortKey;
    return this.#byId.get(id)?.sortKey ?? (typeof last === 'number' ? last + 1 : 1);
  }

  /** Stores an item, replacing one with the same id. */
  put(item: Item): void {
    this.remove(item.id);
    this.comeBack(item.id);
    this.isOrphaned = false;
    this.#byId.set(item.id, item);
    this.bytes += this.#weigh(item);
    this.note(item.id);
    const last = this.items.at(-1);
    if (last === undefined || compareItems(last, item) < 0) this.items.push(item);
    else this.items.splice(this.#positionOf(item), 0, item);
    for (const alias of item.facts?.aliases ?? []) {
      this.#aliases.set(alias, item.id);
      this.comeBack(alias);
    }
  }

  /** Records a removal. The name may refer to an item that was never stored. */
  noteRemoved(name: ItemId): void {
    this.#noteChange(name);
    if (!this.removed.has(name)) this.bytes += nameBytes(name);
    this.removed.add(name);
  }

  /** Removes all items, because the parent was removed. */
  orphan(): void {
    for (const id of this.#byId.keys()) this.remove(id);
    this.isOrphaned = true;
    this.revision = {};
  }

  comeBack(name: ItemId): void {
    if (this.removed.size === 0 || !this.removed.delete(name)) return;
    this.bytes -= nameBytes(name);
    this.#noteChange(name);
  }

  /** Removes the item with that id, if any. */
  remove(id: ItemId): void {
    this.#noteChange(id);
    const item = this.#byId.get(id);
    if (item === undefined) return;
    this.#byId.delete(id);
    this.bytes -= this.#weigh(item);
    for (const alias of item.facts?.aliases ?? [])
      if (this.#aliases.get(alias) === id) this.#aliases.delete(alias);
    this.items.splice(this.#positionOf(item), 1);
  }

  #weigh(item: Item): number {
    return this.#seed?.get(item.id) === item ? placeBytes : itemBytes(item);
  }

  /** The first position whose item does not sort before `item`. */
  #positionOf(item: Item): number {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.items[middle];
      if (other !== undefined && compareItems(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** An independent copy with the same items and next id. */
  copy(): Inventory {
    const copy = new Inventory(this.isPlain, this.order);
    for (const [id, item] of this.#byId) copy.#byId.set(id, item);
    for (const item of this.items) copy.items.push(item);
    for (const [alias, id] of this.#aliases) copy.#aliases.set(alias, id);
    for (const name of this.removed) copy.removed.add(name);
    copy.isOrphaned = this.isOrphaned;
    copy.isDisclosed = this.isDisclosed;
    copy.position = this.position;
    copy.#seed = this.#seed;
    copy.bytes = this.#seed === this.#byId ? this.size * placeBytes : this.bytes;
    return copy;
  }

  /** All items in the order of lists. `orderSeed`: of a random order. */
  inOrder(orderSeed = 0): readonly Item[] {
    if (this.order === 'ascending') return this.items;
    if (this.order === 'descending') return this.items.toReversed();
    const drawn = [...this.items];
    const random = createRandom(orderSeed);
    for (let at = 0; at < drawn.length; at += 1) {
      const other = at + Math.floor(random() * (drawn.length - at));
      const [one, two] = [drawn[at], drawn[other]];
      if (one !== undefined && two !== undefined) [drawn[at], drawn[other]] = [two, one];
    }
    return drawn;
  }
}

function compareItems(a: Item, b: Item): number {
  return compareScalars(a.sortKey, b.sortKey) || compareScalars(a.id, b.id);
}

/** Numbers by value, strings by code unit, values of different types as text. */
export function compareScalars(a: JsonValue, b: JsonValue): number {
  if (a === b) return 0;
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : 1;
  const [left, right] =
    typeof a === 'string' && typeof b === 'string' ? [a, b] : [renderJson(a), renderJson(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function nameBytes(name: ItemId): number {
  return placeBytes + textBytes(`${name}`);
}

/** Inventories by path. Shared, therefore never changed. */
export type StoredState = ReadonlyMap<string, Inventory>;

/** What the store needs from a collection whose items are stored as all responses show them. */
interface StoredCollection {
  openEmpty(): Inventory;
  /** Stores an item. Returns the reason if it cannot, to complete a sentence about the item. */
  store(
    value: JsonValue,
    place: { readonly inventory: Inventory; readonly pathValues: readonly string[] },
  ): string | undefined;
}

/** An item that the document has no place for. It is restored when it matches again. */
export interface MisplacedItem {
  /** Path of the collection. */
  readonly path: string;
  readonly id: ItemId;
  readonly reason: string;
}

/** Prefix of the paths of items that were set aside. */
const asideMark = 'aside:';

/**
 * The items of one sandbox, by collection path with the ids of parents. Inventories shared with the
 * seed or a snapshot are copied on write, so reading costs nothing.
 */
export class Store {
  readonly #inventories = new Map<string, Inventory>();
  /** Paths of shared inventories. */
  readonly #shared = new Set<string>();
  /** The memory is used up: inventories opened for reading are created, but not stored. */
  isFull = false;

  /** Estimated memory of everything here, without what is shared with the seed. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#inventories.values()) sum += bytes;
    return sum;
  }

  /** The inventory at a path, for reading only. */
  find(path: string): Inventory | undefined {
    return this.#inventories.get(path);
  }

  /**
   * The inventory at a path, for changing it. `open` creates the initial one; if the memory is used
   * up, it is not stored unless it `isKept`.
   */
  open(path: string, open: () => Inventory, isKept: boolean): Inventory {
    const known = this.#inventories.get(path);
    if (known !== undefined && !this.#shared.has(path)) return known;
    const opened = known?.copy() ?? open();
    if (known !== undefined || isKept || !this.isFull) this.put(path, opened);
    return opened;
  }

  /** Inventories that differ from the seed, by path. */
  get inventories(): StoredState {
    return new Map(this.#inventories);
  }

  /** Whether items were used that responses show in different ways. */
  get isUsed(): boolean {
    for (const { isPlain } of this.#inventories.values()) if (!isPlain) return true;
    return false;
  }

  /** Items that were set aside, by the path of their collection. */
  get aside(): StoredState {
    const all = [...this.inventories].filter(([path]) => path.startsWith(asideMark));
    return new Map(all.map(([path, items]) => [path.slice(asideMark.length), items]));
  }

  /** Replaces the inventory of a collection; undefined resets it to the seed. */
  put(path: string, inventory: Inventory | undefined, isShared = false): void {
    if (inventory === undefined) this.#inventories.delete(path);
    else this.#inventories.set(path, inventory);
    if (isShared) this.#shared.add(path);
    else this.#shared.delete(path);
  }

  /** Removes all items nested in the item at a path. */
  removeWithin(path: string): void {
    for (const [other, inventory] of this.#inventories)
      if (other.startsWith(`${path}/`)) this.open(other, () => inventory, true).orphan();
  }

  /**
   * A snapshot of the current state, including seeds that were not used. Later changes do not
   * affect it.
   */
  keep(
    collections: readonly { readonly path: string; readonly seed: Inventory | undefined }[],
  ): StoredState {
    const state = new Map<string, Inventory>();
    for (const { path, seed } of collections) if (seed !== undefined) state.set(path, seed);
    for (const [path, inventory] of this.#inventories) {
      this.#shared.add(path);
      state.set(path, inventory);
    }
    return state;
  }

  /** Replaces the whole state. Collections that it leaves out get their seed. */
  restore(state: StoredState): void {
    this.#inventories.clear();
    this.#shared.clear();
    for (const [path, inventory] of state) this.put(path, inventory, true);
  }

  /** Converts the items to other collections, and returns those that do not match. */
  convert(
    findCollection: (path: string) => StoredCollection | undefined,
  ): readonly MisplacedItem[] {
    const misplaced: MisplacedItem[] = [];
    const before = [...this.#inventories].filter(([, { isPlain }]) => isPlain);
    for (const [path, former] of Map.groupBy(before, ([one]) => one.replace(asideMark, ''))) {
      const collection = findCollection(path);
      const inventory = collection?.openEmpty();
      const aside = new Inventory(true);
      for (const [, one] of former) {
        aside.follow(one);
        inventory?.follow(one);
        for (const item of one.items) {
          const reason =
            collection === undefined || inventory === undefined
              ? 'is of a collection that the document does not have'
              : collection.store(readMembers(item.text), { inventory, pathValues: [] });
          if (reason === undefined) continue;
          aside.put(item);
          misplaced.push({ path, id: item.id, reason: `It ${reason}.` });
        }
      }
      if (inventory !== undefined || former.some(([one]) => one === path))
        this.put(path, inventory);
      this.put(asideMark + path, aside.size > 0 || collection === undefined ? aside : undefined);
    }
    return misplaced;
  }
}
