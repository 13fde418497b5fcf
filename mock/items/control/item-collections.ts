import { withoutMember } from '../../../contract/json/place.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  renderJson,
} from '../../../contract/json/value.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { ItemPage, ItemQuery, StoredItem } from '../../control/declaration/schemas.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type Collection, type Place, fillPath, matchPath } from '../collection.ts';
import { itemInBody } from '../item-view.ts';
import { unfitItem } from '../seed.ts';
import { type Item, type ItemId, openItem, readMembers } from '../store/item.ts';
import type { Inventory } from '../store/store.ts';

/** Items of a collection whose nested collections are listed. */
const maxParents = 20;

/** Places of one nested collection that are listed. */
const maxPlaces = 100;

/** The collections of a sandbox: those of the document, nested ones within the items there are. */
export function listCollections(sandbox: Sandbox): readonly ItemCollection[] {
  const { collections, contract } = sandbox.service;
  // A single resource is not a collection. Parents come before their nested collections.
  const byDepth = collections.all
    .filter(({ resource }) => !resource.isSingle)
    .toSorted((one, other) => one.resource.parents.length - other.resource.parents.length);
  const paths = contract.operations.map(({ path }) => path);
  const positions = new Map<ItemCollection, number>();
  for (const collection of byDepth) {
    const isWithin = (path: string): boolean => `${path}/`.startsWith(`${collection.path}/`);
    for (const values of valuesOf(collection, sandbox, [...positions.keys()]))
      positions.set(new ItemCollection(sandbox, collection, values), paths.findIndex(isWithin));
  }
  return [...positions].toSorted(([, a], [, b]) => a - b).map(([one]) => one);
}

/** The collection at a path; undefined if the document has none. */
export function findCollection(sandbox: Sandbox, path: string): ItemCollection | undefined {
  const found = sandbox.service.collections.find(path);
  return found && new ItemCollection(sandbox, found.collection, found.values);
}

/** Values of the parameters of its path: of places in use, and of parent items. */
function valuesOf(
  { path, resource }: Collection,
  { store }: Sandbox,
  known: readonly ItemCollection[],
): readonly (readonly string[])[] {
  if (resource.parents.length === 0) return [[]];
  const [, parentPath = ''] = /^(.*)\/\{[^{}]*\}\/[^{}]*$/.exec(path) ?? [];
  const within = known.flatMap((parent) => {
    const values = matchPath(parentPath, parent.path);
    return values ? parent.ids.slice(0, maxParents).map((id) => [...values, id]) : [];
  });
  const used = [...store.inventories.keys()].flatMap((one) => {
    const values = matchPath(path, one);
    return values ? [values] : [];
  });
  const all = new Map([...within, ...used].map((values) => [JSON.stringify(values), values]));
  return [...all.values()].slice(0, maxPlaces);
}

const maxSamples = 10;

/** The items of one collection of a sandbox. An item that does not fit throws `PetstoreError`. */
export class ItemCollection {
  /** Path, the ids of parents filled in: `/stores/7/pets`. */
  readonly path: string;
  readonly #collection: Collection;
  readonly #place: Place;

  constructor(sandbox: Sandbox, collection: Collection, pathValues: readonly string[]) {
    this.path = fillPath(collection.path, pathValues);
    this.#collection = collection;
    this.#place = { sandbox, pathValues, now: sandbox.clock.now() };
  }

  get #inventory(): Inventory {
    return this.#collection.read(this.#place);
  }

  get count(): number {
    return this.#inventory.size;
  }

  get ids(): readonly string[] {
    return this.#inventory.items.map(({ id }) => `${id}`);
  }

  /** In the order of the collection. */
  list({ text = '', offset = 0, limit = 100 }: Omit<ItemQuery, 'collection'> = {}): ItemPage {
    const wanted = text.toLowerCase();
    const { items } = this.#inventory;
    const textOf = (item: Item): string =>
      item.facts === undefined ? item.text : renderJson(this.#show(item));
    const found =
      text === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(wanted));
    return {
      total: found.length,
      items: found.slice(offset, offset + limit).map((item) => this.#name(item)),
    };
  }

  /** All of them, as they are shown. */
  get all(): readonly JsonObject[] {
    return this.#inventory.items.map((item) => this.#show(item));
  }

  #show(item: Item): JsonObject {
    if (item.facts === undefined) return readMembers(item.text);
    const { shownBest } = this.#collection;
    const inner = shownBest && itemInBody(shownBest.view, this.#collection.showWhole(item));
    return isJsonObject(inner) ? inner : this.#collection.showUndescribed(item);
  }

  #name(item: Item): StoredItem {
    return { id: `${item.id}`, item: this.#show(item) };
  }

  #put(item: Item): StoredItem {
    this.#collection.write(this.#place).put(this.#collection.named(item, this.#show(item)));
    return this.#name(item);
  }

  /** What its items are like. */
  describe() {
    const { itemSchema: schema, idPlace } = this.#collection;
    const { properties = [], required } = schema?.shape() ?? {};
    const members = [...properties].map(([name, member]) => {
      const { types, format, readOnly, values } = member.shape();
      const [type, ...others] = types.filter((one) => one !== 'null');
      const { description } = typeof member.schema === 'boolean' ? {} : member.schema;
      return {
        name,
        type: others.length === 0 ? type : undefined,
        format,
        required: required?.has(name) === true,
        readOnly,
        enum: values,
        description: typeof description === 'string' ? description : undefined,
      };
    });
    return {
      path: this.path,
      id: idPlace?.join('.'),
      count: this.count,
      pointer: schema?.pointer,
      members,
      sample: this.sample(),
    };
  }

  /** An item that can be added as it is: without an id if the mock can assign one, else with a free one. */
  sample(): JsonObject {
    const { itemSchema: schema, idPlace = [''], all } = this.#collection;
    if (schema === undefined) return {};
    const withoutId = (value: JsonValue | undefined): JsonObject =>
      withoutMember(isJsonObject(value) ? value : {}, idPlace);
    const usual = all.sample(schema);
    const [first] = this.#inventory.items;
    for (let count = 0; count <= maxSamples; count += 1) {
      const draw = { direction: 'response', seed: `${count}` } as const;
      const drawn = count === 0 ? usual : sampleSchema(schema, draw).value;
      const value = count === maxSamples ? first && this.#show(first) : drawn;
      if (!isJsonObject(value)) continue;
      const found = [withoutId(value), value].find((one) => this.#canAdd(one));
      if (found !== undefined) return found;
    }
    return withoutId(usual);
  }

  #canAdd(item: JsonObject): boolean {
    const made = this.#make(item);
    return typeof made !== 'string' && !this.#inventory.has(made.id);
  }

  /** An item that can be stored, or why it cannot; by itself it uses up no id. */
  #make(item: JsonObject, id?: ItemId): Item | string {
    const inventory = this.#inventory;
    const { position } = inventory;
    const nextId = (): ItemId | undefined => id ?? this.#collection.nextId(inventory);
    const made = this.#collection.admit(item, { ...this.#place, inventory }, nextId);
    inventory.position = position;
    return made;
  }

  add(item: JsonObject): StoredItem {
    const made = this.#make(item);
    if (typeof made === 'string') throw unfitItem(`The item ${made}.`);
    if (this.#inventory.has(made.id))
      throw unfitItem(`An item with the ${this.#collection.idLabel} ${made.id} already exists.`);
    return this.#put(made);
  }

  /** Undefined if there is no item with that id. */
  replace(id: string, item: JsonObject): StoredItem | undefined {
    const known = this.#inventory.get(id);
    if (known === undefined) return undefined;
    const made = this.#make(item, known.id);
    if (typeof made === 'string') throw unfitItem(`The item ${made}.`);
    if (made.id !== known.id)
      throw unfitItem(
        `The ${this.#collection.idLabel} of an item cannot change: it is ${known.id}, not ${made.id}.`,
      );
    if (known.facts === undefined) return this.#put(made);
    const gone = Object.keys(this.#show(known)).filter((name) => !Object.hasOwn(item, name));
    const changedAt = this.#place.now;
    const changed = { ...openItem(known), members: item, absent: new Set(gone), changedAt };
    return this.#put(this.#collection.close(changed, this.#inventory));
  }

  /** False if there is none with that id. */
  remove(id: string): boolean {
    if (!this.#inventory.has(id)) return false;
    const { pathValues } = this.#place;
    this.#collection.remove({ ...this.#place, pathValues: [...pathValues, id] });
    return true;
  }
}
