import { type JsonValue, isNumeric, renderJson, createRandom } from '../../contract/index.ts';
import type { IdSource, ItemId } from './item-id.ts';
import { drawSome } from './random.ts';
import { entryBytes, placeBytes, textBytes, valueBytes } from './entities/weight.ts';

/** An item as it is kept: its text is rendered once, when it is stored. */
export interface StoredItem {
  readonly id: ItemId;
  readonly sortKey: JsonValue;
  /** Values of the indexed properties: those that the list filters by, and others. */
  readonly indexedValues: readonly JsonValue[];
  /** JSON text. */
  readonly text: string;
}

/** How items are listed. `none`: in an order that each response draws anew. */
export type ItemOrder = 'ascending' | 'descending' | 'none';

/** Items of one collection, in order. Listing the first few costs the same for any number. */
export class Inventory {
  readonly #order: ItemOrder;
  readonly #ids: IdSource;
  readonly #items = new Map<ItemId, StoredItem>();
  readonly #sorted: StoredItem[] = [];
  /** For each indexed property, the sorted items by value. */
  readonly #byValue: readonly Map<JsonValue, StoredItem[]>[];
  /** The page rendered last, until an item changes: lists are asked for again and again. */
  #page: Page | undefined;
  #revision: object = {};
  /** The items of the seed that this began as, which are kept once for all sandboxes. */
  #seed: ReadonlyMap<ItemId, StoredItem> | undefined;
  #bytes = 0;

  constructor(indexed: number, order: ItemOrder, ids: IdSource) {
    this.#order = order;
    this.#ids = ids;
    this.#byValue = Array.from({ length: indexed }, () => new Map<JsonValue, StoredItem[]>());
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
    return this.#items.has(id) && this.#seed?.has(id) !== true;
  }

  /** An id that no item has or had; undefined where none is left. */
  nextId(): ItemId | undefined {
    return this.#ids.next((id) => this.#items.has(id));
  }

  /** Gives no new item an id that was given, or stored, in another inventory. */
  follow(former: Inventory): void {
    this.#ids.follow(former.#ids);
  }

  /** Where its ids stand: none was given from here on. */
  get position(): number | bigint {
    return this.#ids.position;
  }

  set position(to: number | bigint) {
    this.#ids.position = to;
  }

  /** Gives no new item this id. */
  note(id: ItemId): void {
    this.#ids.note(id);
  }

  has(id: ItemId): boolean {
    return this.#items.has(id);
  }

  get(id: ItemId): StoredItem | undefined {
    return this.#items.get(id);
  }

  /** True if an item has this value in the indexed property. */
  holds(index: number, value: JsonValue): boolean {
    return (this.#byValue[index]?.get(value)?.length ?? 0) > 0;
  }

  /** Stores an item, in place of one with the same id. */
  put(item: StoredItem): void {
    this.remove(item.id);
    this.#page = undefined;
    this.#revision = {};
    this.#items.set(item.id, item);
    this.#bytes += this.#weigh(item);
    this.#ids.note(item.id);
    for (const list of this.#listsOf(item)) insertSorted(list, item);
  }

  /** Removes an item; undefined if there is none with that id. */
  remove(id: ItemId): StoredItem | undefined {
    const item = this.#items.get(id);
    if (item === undefined) return undefined;
    this.#page = undefined;
    this.#revision = {};
    this.#items.delete(id);
    this.#bytes -= this.#weigh(item);
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
    const copy = new Inventory(this.#byValue.length, this.#order, this.#ids.copy());
    copy.#seed = this.#seed;
    copy.#bytes = this.#seed === this.#items ? this.size * placeBytes : this.#bytes;
    for (const [id, item] of this.#items) copy.#items.set(id, item);
    for (const item of this.#sorted) copy.#sorted.push(item);
    for (const [index, lists] of this.#byValue.entries()) {
      for (const [value, list] of lists) copy.#byValue[index]?.set(value, [...list]);
    }
    return copy;
  }

  /** All items, in the ascending order. */
  get items(): readonly StoredItem[] {
    return this.#sorted;
  }

  /** JSON text of at most `limit` items. `wanted`: a value for each index, undefined for any. */
  renderPage(wanted: readonly (JsonValue | undefined)[], limit: number, orderSeed = 0): string {
    if (this.#order === 'none') return renderItems(this.find(wanted, 0, limit, orderSeed));
    if (this.#page !== undefined && isPageOf(this.#page, wanted, limit)) return this.#page.text;
    const text = this.#renderPage(wanted, limit);
    this.#page = text.length > mostKeptPage ? undefined : { wanted, limit, text };
    return text;
  }

  #renderPage(wanted: Page['wanted'], limit: number): string {
    const list = this.#candidates(wanted);
    const texts: string[] = [];
    for (let step = 0; step < list.length && texts.length < limit; step += 1) {
      const item = list[this.#order === 'descending' ? list.length - 1 - step : step];
      if (item === undefined || !matches(item, wanted)) continue;
      texts.push(item.text);
    }
    // In one piece: a text that is kept as its parts is put together again for every response.
    return ['[', texts.join(','), ']'].join('');
  }

  /** At most `limit` of the items that match, after the first `offset` of them. */
  find(
    wanted: readonly (JsonValue | undefined)[],
    offset: number,
    limit: number,
    orderSeed = 0,
  ): readonly StoredItem[] {
    const found = this.#candidates(wanted).filter((item) => matches(item, wanted));
    if (this.#order === 'none')
      return drawSome(found, offset + limit, createRandom(orderSeed)).slice(offset);
    return (this.#order === 'descending' ? found.toReversed() : found).slice(
      offset,
      offset + limit,
    );
  }

  /** The shortest list that holds every match. */
  #candidates(wanted: readonly (JsonValue | undefined)[]): readonly StoredItem[] {
    let shortest: readonly StoredItem[] = this.#sorted;
    for (const [index, value] of wanted.entries()) {
      if (value === undefined) continue;
      const list = this.#byValue[index]?.get(value) ?? [];
      if (list.length < shortest.length) shortest = list;
    }
    return shortest;
  }

  #weigh(item: StoredItem): number {
    return this.#seed?.get(item.id) === item ? placeBytes : itemBytes(item);
  }

  #listsOf(item: StoredItem): readonly StoredItem[][] {
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

/** A longer page is rendered for each request: every collection of every sandbox may keep one. */
const mostKeptPage = 65_536;

/** What an item costs where nobody shares it. */
export function itemBytes({ text, sortKey, indexedValues }: StoredItem): number {
  let bytes = entryBytes + textBytes(text);
  if (typeof sortKey !== 'number') bytes += valueBytes(sortKey);
  for (const value of indexedValues) if (typeof value !== 'number') bytes += valueBytes(value);
  return bytes;
}

interface Page {
  readonly wanted: readonly (JsonValue | undefined)[];
  readonly limit: number;
  readonly text: string;
}

function isPageOf(page: Page, wanted: Page['wanted'], limit: number): boolean {
  return page.limit === limit && page.wanted.every((value, index) => value === wanted[index]);
}

/** JSON text of an array of the items. */
export function renderItems(items: readonly StoredItem[]): string {
  return `[${items.map(({ text }) => text).join(',')}]`;
}

function matches(item: StoredItem, wanted: readonly (JsonValue | undefined)[]): boolean {
  for (let index = 0; index < wanted.length; index += 1) {
    const value = wanted[index];
    if (value !== undefined && item.indexedValues[index] !== value) return false;
  }
  return true;
}

function insertSorted(list: StoredItem[], item: StoredItem): void {
  const last = list.at(-1);
  if (last === undefined || compareItems(last, item) < 0) list.push(item);
  else list.splice(positionOf(list, item), 0, item);
}

function removeSorted(list: StoredItem[], item: StoredItem): void {
  list.splice(positionOf(list, item), 1);
}

/** The first position whose item does not come before `item`. */
function positionOf(list: readonly StoredItem[], item: StoredItem): number {
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

function compareItems(a: StoredItem, b: StoredItem): number {
  return compareScalars(a.sortKey, b.sortKey) || compareScalars(a.id, b.id);
}

/** Numbers by value, strings by code unit; values of different types as their texts. */
function compareScalars(a: JsonValue, b: JsonValue): number {
  if (a === b) return 0;
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : 1;
  const [left, right] =
    typeof a === 'string' && typeof b === 'string' ? [a, b] : [renderJson(a), renderJson(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
