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

/** How items are listed. `none`: in an order that each response draws again. */
export type ItemOrder = 'ascending' | 'descending' | 'none';

/** A value for each indexed property; undefined for any. */
type Wanted = readonly (JsonValue | undefined)[];

/** Ids are looked for among so many numbers. */
const mostTries = 10_000;

/** Items of one collection within its parents, `/stores/7/pets`, in order. */
export class Inventory {
  /** Responses show the members of its items as they are. */
  readonly isPlain: boolean;
  readonly order: ItemOrder;
  readonly #items = new Map<ItemId, Item>();
  readonly #sorted: Item[] = [];
  readonly #aliases = new Map<string, ItemId>();
  readonly #removed = new Set<ItemId>();
  /** What was here went with an item that it was within. */
  isOrphaned = false;
  /** A client was shown ids of this place, by a list or a creation. */
  isDisclosed = false;
  #revision: object = {};
  /** Undefined where nobody asks what changes. */
  #changed: Set<ItemId> | undefined;
  /** The next id: none was given from here on. */
  position: number | bigint = 1;
  /** The items of the seed that this began as, which are kept once for all sandboxes. */
  #seed: ReadonlyMap<ItemId, Item> | undefined;
  #bytes: number;

  constructor(isPlain: boolean, order: ItemOrder = 'ascending') {
    this.isPlain = isPlain;
    this.order = order;
    this.#bytes = isPlain ? 0 : entryBytes;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Another object after each change of an item. */
  get revision(): object {
    return this.#revision;
  }

  /** Names of items that changed after the last `mark`, in the set that it returned. */
  get changed(): ReadonlySet<ItemId> | undefined {
    return this.#changed;
  }

  /** Notes from now on what changes. The set is the same as before while nothing has changed. */
  mark(): ReadonlySet<ItemId> {
    if (this.#changed?.size !== 0) this.#changed = new Set();
    return this.#changed;
  }

  #noteChange(id: ItemId): void {
    this.#revision = {};
    this.#changed?.add(id);
  }

  /** What its items cost in memory; nothing for a seed, and little for items of the seed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** All items, in the ascending order. */
  get items(): readonly Item[] {
    return this.#sorted;
  }

  /** Names of items that were removed. */
  get removed(): ReadonlySet<ItemId> {
    return this.#removed;
  }

  /** Makes it a seed: what it holds is no longer counted, and in copies only its places are. */
  seal(): void {
    this.#seed = this.#items;
    this.#bytes = 0;
  }

  /** A client created the item: it is here, and was not in the seed. */
  isCreated(id: ItemId): boolean {
    const item = this.get(id);
    if (item?.facts !== undefined) return item.facts.createdAt !== undefined;
    return item !== undefined && this.#seed?.has(item.id) !== true;
  }

  /**
   * An id that no item has or had: counts on from the largest integer seen, and takes the smallest one
   * that is free after the last. Undefined where none is left.
   */
  nextId(ids: IdMaker): string | undefined {
    if (this.position < ids.first) this.position = ids.first;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const text = ids.make(this.position);
      this.position = text === undefined ? ids.first : successor(this.position);
      if (text !== undefined && !this.has(text)) return text;
    }
    return undefined;
  }

  /** Gives no new item an id that was given, or stored, in another inventory. */
  follow({ position }: Inventory): void {
    if (position > this.position) this.position = position;
  }

  /** Gives no new item this id. */
  note(id: ItemId): void {
    if (typeof id !== 'string' && id >= this.position) this.position = successor(id);
  }

  has(id: ItemId): boolean {
    return this.get(id) !== undefined;
  }

  /** The item of an id, which may be a number as a text. */
  get(id: ItemId): Item | undefined {
    const number = typeof id === 'string' ? numberIn(id) : undefined;
    return (number === undefined ? undefined : this.#items.get(number)) ?? this.#items.get(id);
  }

  /** The item that has this id, or was given this name besides. */
  find(name: ItemId): Item | undefined {
    const own = this.get(name);
    if (own !== undefined || this.#removed.has(name)) return own;
    return this.#items.get(this.#aliases.get(`${name}`) ?? '');
  }

  /** True where an item of that name was removed, by itself or with what it was within. */
  isRemoved(name: ItemId): boolean {
    return (this.#removed.has(name) || this.isOrphaned) && !this.#items.has(name);
  }

  /** True for a name whose item went with what it was within, and was not removed since. */
  isOrphan(name: ItemId): boolean {
    return this.isRemoved(name) && !this.#removed.has(name);
  }

  /** The key that keeps an item in its place; that of a new one puts it last. */
  placeOf(id: ItemId): JsonValue {
    const last = this.#sorted.at(-1)?.sortKey;
    return this.#items.get(id)?.sortKey ?? (typeof last === 'number' ? last + 1 : 1);
  }

  /** Stores an item, in place of one with the same id. */
  put(item: Item): void {
    this.#take(item.id);
    this.comeBack(item.id);
    this.#items.set(item.id, item);
    this.#bytes += this.#weigh(item);
    this.note(item.id);
    const last = this.#sorted.at(-1);
    if (last === undefined || compareItems(last, item) < 0) this.#sorted.push(item);
    else this.#sorted.splice(this.#positionOf(item), 0, item);
    for (const alias of item.facts?.aliases ?? []) {
      this.#aliases.set(alias, item.id);
      this.comeBack(alias);
    }
  }

  /** Removes the item with that id, if there is one. */
  remove(id: ItemId): void {
    this.#take(id);
  }

  /** Notes that the item of a name is gone: a name may stand for what was never stored. */
  noteRemoved(name: ItemId): void {
    this.#noteChange(name);
    if (!this.#removed.has(name)) this.#bytes += nameBytes(name);
    this.#removed.add(name);
  }

  /** Removes all items, since what they are within is removed. */
  orphan(): void {
    for (const id of this.#items.keys()) this.#take(id);
    this.isOrphaned = true;
    this.#revision = {};
  }

  comeBack(name: ItemId): void {
    if (this.#removed.size === 0 || !this.#removed.delete(name)) return;
    this.#bytes -= nameBytes(name);
    this.#noteChange(name);
  }

  #take(id: ItemId): void {
    this.#noteChange(id);
    const item = this.#items.get(id);
    if (item === undefined) return;
    this.#items.delete(id);
    this.#bytes -= this.#weigh(item);
    for (const alias of item.facts?.aliases ?? [])
      if (this.#aliases.get(alias) === id) this.#aliases.delete(alias);
    this.#sorted.splice(this.#positionOf(item), 1);
  }

  #weigh(item: Item): number {
    return this.#seed?.get(item.id) === item ? placeBytes : itemBytes(item);
  }

  /** The first position whose item does not come before `item`. */
  #positionOf(item: Item): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#sorted[middle];
      if (other !== undefined && compareItems(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** An inventory with the same items and the next id, to be changed by itself. */
  copy(): Inventory {
    const copy = new Inventory(this.isPlain, this.order);
    for (const [id, item] of this.#items) copy.#items.set(id, item);
    for (const item of this.#sorted) copy.#sorted.push(item);
    for (const [alias, id] of this.#aliases) copy.#aliases.set(alias, id);
    for (const name of this.#removed) copy.#removed.add(name);
    copy.isOrphaned = this.isOrphaned;
    copy.isDisclosed = this.isDisclosed;
    copy.position = this.position;
    copy.#seed = this.#seed;
    copy.#bytes = this.#seed === this.#items ? this.size * placeBytes : this.#bytes;
    return copy;
  }

  /** At most `limit` of the items that match, after the first `offset` of them. */
  select(wanted: Wanted, offset: number, limit: number, orderSeed = 0): readonly Item[] {
    const all = this.#sorted;
    if (this.order === 'none') {
      const rest = all.filter((item) => matches(item, wanted));
      const random = createRandom(orderSeed);
      const drawn = Math.min(offset + limit, rest.length);
      for (let at = 0; at < drawn; at += 1) {
        const other = at + Math.floor(random() * (rest.length - at));
        const [one, two] = [rest[at], rest[other]];
        if (one !== undefined && two !== undefined) [rest[at], rest[other]] = [two, one];
      }
      return rest.slice(offset, drawn);
    }
    const found: Item[] = [];
    let before = 0;
    for (let step = 0; step < all.length && found.length < limit; step += 1) {
      const item = all[this.order === 'descending' ? all.length - 1 - step : step];
      if (item === undefined || !matches(item, wanted)) continue;
      if (before < offset) before += 1;
      else found.push(item);
    }
    return found;
  }

  /** How many items match. */
  count(wanted: Wanted): number {
    let count = 0;
    for (const item of this.#sorted) if (matches(item, wanted)) count += 1;
    return count;
  }
}

function matches(item: Item, wanted: Wanted): boolean {
  for (let index = 0; index < wanted.length; index += 1) {
    const value = wanted[index];
    if (value !== undefined && item.indexedValues[index] !== value) return false;
  }
  return true;
}

function compareItems(a: Item, b: Item): number {
  return compareScalars(a.sortKey, b.sortKey) || compareScalars(a.id, b.id);
}

/** Numbers by value, strings by code unit; values of different types as their texts. */
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

/** Inventories by path. They are shared, so nobody changes them. */
export type StoredState = ReadonlyMap<string, Inventory>;

/** What the store needs to know of a collection whose items are kept as all responses show them. */
interface StoredCollection {
  openEmpty(): Inventory;
  /** Stores an item; why it cannot be, for a sentence about it, else undefined. */
  store(
    value: JsonValue,
    place: { readonly inventory: Inventory; readonly pathValues: readonly string[] },
  ): string | undefined;
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

/**
 * What one sandbox stores, by the paths of collections, with the ids of parents. An inventory that is
 * shared, with the seed or a snapshot, is copied when first written to: reading costs nothing.
 */
export class Store {
  readonly #inventories = new Map<string, Inventory>();
  /** Paths of those that are shared. */
  readonly #shared = new Set<string>();
  /** Nothing more may be kept: what is read for the first time is made, and forgotten. */
  isFull = false;

  /** What everything here costs in memory; what sandboxes share with the seed is not counted. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#inventories.values()) sum += bytes;
    return sum;
  }

  /** What is at a path, for reading only. */
  find(path: string): Inventory | undefined {
    return this.#inventories.get(path);
  }

  /**
   * What is at a path, for changing it. `open` gives what is there at first; it is forgotten again where
   * nothing more may be kept, unless it `isKept`.
   */
  open(path: string, open: () => Inventory, isKept: boolean): Inventory {
    const known = this.#inventories.get(path);
    if (known !== undefined && !this.#shared.has(path)) return known;
    const opened = known?.copy() ?? open();
    if (known !== undefined || isKept || !this.isFull) this.put(path, opened);
    return opened;
  }

  /** Inventories that are no more as in the seed, by path. */
  get inventories(): StoredState {
    return new Map(this.#inventories);
  }

  /** Items were used that responses show in different ways. */
  get isUsed(): boolean {
    for (const { isPlain } of this.#inventories.values()) if (!isPlain) return true;
    return false;
  }

  /** Items without a place, by the path of their collection. */
  get aside(): StoredState {
    const all = [...this.inventories].filter(([path]) => path.startsWith(asideMark));
    return new Map(all.map(([path, items]) => [path.slice(asideMark.length), items]));
  }

  /** Puts an inventory in the place of what a collection has; undefined for that of the seed. */
  put(path: string, inventory: Inventory | undefined, isShared = false): void {
    if (inventory === undefined) this.#inventories.delete(path);
    else this.#inventories.set(path, inventory);
    if (isShared) this.#shared.add(path);
    else this.#shared.delete(path);
  }

  /** Removes all items within the item of a path. */
  removeWithin(path: string): void {
    for (const [other, inventory] of this.#inventories)
      if (other.startsWith(`${path}/`)) this.open(other, () => inventory, true).orphan();
  }

  /** The state as it is now, with the seeds of what was not used. Later changes do not reach it. */
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

  /** Puts a state in the place of everything. Collections that it leaves out have their seed. */
  restore(state: StoredState): void {
    this.#inventories.clear();
    this.#shared.clear();
    for (const [path, inventory] of state) this.put(path, inventory, true);
  }

  /** Keeps the items in the form of other collections, and returns those that do not fit. */
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
