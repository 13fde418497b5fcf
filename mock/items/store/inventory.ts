import { type JsonValue, isNumeric, renderJson } from '../../../contract/json/value.ts';
import { type Random, createRandom } from '../../../contract/sample/random.ts';
import { type IdMaker, numberIn, successor } from './ids.ts';
import { type Item, type ItemId, entryBytes, itemBytes, placeBytes, textBytes } from './item.ts';

/** How items are listed. `none`: in an order that each response draws again. */
export type ItemOrder = 'ascending' | 'descending' | 'none';

/** How an inventory keeps its items. */
export interface InventoryForm {
  /** Number of indexed properties. */
  readonly indexed: number;
  readonly order: ItemOrder;
  /** Responses show the members of its items as they are. */
  readonly isPlain: boolean;
}

/** Of items that responses show in different ways. */
export const viewedForm: InventoryForm = { indexed: 0, order: 'ascending', isPlain: false };

/** Of items whose text is kept for another document. */
export const bareForm: InventoryForm = { ...viewedForm, isPlain: true };

/** Ids are looked for among so many numbers. */
const mostTries = 10_000;

/**
 * Items of one collection within its parents, `/stores/7/pets`, in order. Listing the first few costs
 * the same for any number.
 */
export class Inventory {
  readonly form: InventoryForm;
  readonly #items = new Map<ItemId, Item>();
  readonly #sorted: Item[] = [];
  /** For each indexed property, the sorted items by value. */
  readonly #byValue: readonly Map<JsonValue, Item[]>[];
  readonly #aliases = new Map<string, ItemId>();
  readonly #removed = new Set<ItemId>();
  /** What was here went with an item that it was within. */
  isOrphaned = false;
  /** A client was shown ids of this place, by a list or a creation. */
  isDisclosed = false;
  #revision: object = {};
  /** The next id: none was given from here on. */
  position: number | bigint = 1;
  /** The items of the seed that this began as, which are kept once for all sandboxes. */
  #seed: ReadonlyMap<ItemId, Item> | undefined;
  #bytes: number;

  constructor(form: InventoryForm) {
    this.form = form;
    this.#byValue = Array.from({ length: form.indexed }, () => new Map<JsonValue, Item[]>());
    this.#bytes = form.isPlain ? 0 : entryBytes;
  }

  get size(): number {
    return this.#items.size;
  }

  /** Another object after each change of an item. */
  get revision(): object {
    return this.#revision;
  }

  /** What its items cost in memory; nothing for a seed, and little for items of the seed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Makes it a seed: what it holds is no longer counted, and in copies only its places are. */
  seal(): void {
    this.#seed = this.#items;
    this.#bytes = 0;
  }

  /** A client created the item: it is here, and was not in the seed. */
  isCreated(id: ItemId): boolean {
    const item = this.#items.get(id);
    if (item === undefined) return false;
    return item.facts === undefined
      ? this.#seed?.has(id) !== true
      : item.facts.createdAt !== undefined;
  }

  /**
   * An id that no item has or had: counts on from the largest integer seen, and takes the smallest one
   * that is free after the last. Undefined where none is left.
   */
  nextId({ first, make }: IdMaker): string | undefined {
    if (this.position < first) this.position = first;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const text = make(this.position);
      this.position = text === undefined ? first : successor(this.position);
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
    return this.isOrphaned && !this.#removed.has(name) && !this.#items.has(name);
  }

  /** Names of items that were removed. */
  get removed(): ReadonlySet<ItemId> {
    return this.#removed;
  }

  /** The key that keeps an item in its place; that of a new one puts it last. */
  placeOf(id: ItemId): JsonValue {
    const last = this.#sorted.at(-1)?.sortKey;
    return this.#items.get(id)?.sortKey ?? (typeof last === 'number' ? last + 1 : 1);
  }

  /** True if an item has this value in the indexed property. */
  holds(index: number, value: JsonValue): boolean {
    return (this.#byValue[index]?.get(value)?.length ?? 0) > 0;
  }

  /** Stores an item, in place of one with the same id. */
  put(item: Item): void {
    this.#take(item.id);
    this.comeBack(item.id);
    this.#revision = {};
    this.#items.set(item.id, item);
    this.#bytes += this.#weigh(item);
    this.note(item.id);
    for (const list of this.#listsOf(item)) insertSorted(list, item);
    if (item.facts === undefined) return;
    for (const alias of item.facts.aliases) {
      this.#aliases.set(alias, item.id);
      this.comeBack(alias);
    }
  }

  /** Removes an item; undefined if there is none with that id. */
  remove(id: ItemId): Item | undefined {
    const item = this.#take(id);
    if (item === undefined) return undefined;
    this.#revision = {};
    return item;
  }

  /** Notes that the item of a name is gone: a name may stand for what was never stored. */
  noteRemoved(name: ItemId): void {
    this.#revision = {};
    if (!this.#removed.has(name)) this.#bytes += nameBytes(name);
    this.#removed.add(name);
  }

  /** Removes all items, since what they are within is removed. */
  orphan(): void {
    for (const id of this.#items.keys()) this.remove(id);
    this.isOrphaned = true;
    this.#revision = {};
  }

  comeBack(name: ItemId): void {
    if (this.#removed.size > 0 && this.#removed.delete(name)) this.#bytes -= nameBytes(name);
  }

  #take(id: ItemId): Item | undefined {
    const item = this.#items.get(id);
    if (item === undefined) return undefined;
    this.#items.delete(id);
    this.#bytes -= this.#weigh(item);
    for (const alias of item.facts?.aliases ?? [])
      if (this.#aliases.get(alias) === id) this.#aliases.delete(alias);
    removeSorted(this.#sorted, item);
    for (const [index, byValue] of this.#byValue.entries()) {
      const value = item.indexedValues[index] ?? null;
      const list = byValue.get(value);
      if (list !== undefined) removeSorted(list, item);
      if (list?.length === 0) byValue.delete(value);
    }
    return item;
  }

  /** An inventory with the same items and the next id, to be changed by itself. */
  copy(): Inventory {
    const copy = new Inventory(this.form);
    for (const [id, item] of this.#items) copy.#items.set(id, item);
    for (const item of this.#sorted) copy.#sorted.push(item);
    for (const [index, lists] of this.#byValue.entries()) {
      for (const [value, list] of lists) copy.#byValue[index]?.set(value, [...list]);
    }
    for (const [alias, id] of this.#aliases) copy.#aliases.set(alias, id);
    for (const name of this.#removed) copy.#removed.add(name);
    copy.isOrphaned = this.isOrphaned;
    copy.isDisclosed = this.isDisclosed;
    copy.position = this.position;
    copy.#seed = this.#seed;
    copy.#bytes = this.#seed === this.#items ? this.size * placeBytes : this.#bytes;
    return copy;
  }

  /** All items, in the ascending order. */
  get items(): readonly Item[] {
    return this.#sorted;
  }

  /**
   * At most `limit` of the items that match, after the first `offset` of them. `wanted`: a value for
   * each index, undefined for any.
   */
  select(wanted: Wanted, offset: number, limit: number, orderSeed = 0): readonly Item[] {
    const list = this.#candidates(wanted);
    if (this.form.order === 'none') {
      const found = list.filter((item) => matches(item, wanted));
      return drawSome(found, offset + limit, createRandom(orderSeed)).slice(offset);
    }
    const found: Item[] = [];
    let before = 0;
    for (let step = 0; step < list.length && found.length < limit; step += 1) {
      const item = list[this.form.order === 'descending' ? list.length - 1 - step : step];
      if (item === undefined || !matches(item, wanted)) continue;
      if (before < offset) before += 1;
      else found.push(item);
    }
    return found;
  }

  /** How many items match. */
  count(wanted: Wanted): number {
    let count = 0;
    for (const item of this.#candidates(wanted)) if (matches(item, wanted)) count += 1;
    return count;
  }

  /** The shortest list that holds every match. */
  #candidates(wanted: Wanted): readonly Item[] {
    let shortest: readonly Item[] = this.#sorted;
    for (const [index, value] of wanted.entries()) {
      if (value === undefined) continue;
      const list = this.#byValue[index]?.get(value) ?? [];
      if (list.length < shortest.length) shortest = list;
    }
    return shortest;
  }

  #weigh(item: Item): number {
    return this.#seed?.get(item.id) === item ? placeBytes : itemBytes(item);
  }

  #listsOf(item: Item): readonly Item[][] {
    const lists = [this.#sorted];
    for (const [index, byValue] of this.#byValue.entries()) {
      const value = item.indexedValues[index] ?? null;
      const list = byValue.get(value) ?? [];
      byValue.set(value, list);
      lists.push(list);
    }
    return lists;
  }
}

/** A value for each indexed property; undefined for any. */
export type Wanted = readonly (JsonValue | undefined)[];

function matches(item: Item, wanted: Wanted): boolean {
  for (let index = 0; index < wanted.length; index += 1) {
    const value = wanted[index];
    if (value !== undefined && item.indexedValues[index] !== value) return false;
  }
  return true;
}

function insertSorted(list: Item[], item: Item): void {
  const last = list.at(-1);
  if (last === undefined || compareItems(last, item) < 0) list.push(item);
  else list.splice(positionOf(list, item), 0, item);
}

function removeSorted(list: Item[], item: Item): void {
  list.splice(positionOf(list, item), 1);
}

/** The first position whose item does not come before `item`. */
function positionOf(list: readonly Item[], item: Item): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && compareItems(other, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** The first `count` of the values in a random order, without changing the list. */
function drawSome<Value>(
  values: readonly Value[],
  count: number,
  random: Random,
): readonly Value[] {
  const rest = [...values];
  const drawn = Math.min(count, rest.length);
  for (let at = 0; at < drawn; at += 1) {
    const other = at + Math.floor(random() * (rest.length - at));
    const [one, two] = [rest[at], rest[other]];
    if (one !== undefined && two !== undefined) [rest[at], rest[other]] = [two, one];
  }
  return rest.slice(0, drawn);
}

function nameBytes(name: ItemId): number {
  return placeBytes + textBytes(`${name}`);
}
