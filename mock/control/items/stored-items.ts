import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  parseJson,
  sampleSchema,
} from '../../../contract/index.ts';
import type { MakeSample } from '../../inferred/view/item-view.ts';
import type { Collection } from '../../store/collection.ts';
import type { Inventory, StoredItem } from '../../store/inventory.ts';
import type { ItemId } from '../../store/item-id.ts';
import { renderItem } from '../../store/seed.ts';
import type { Store } from '../../store/store.ts';
import { type ItemCollection, type NamedItem, unfitItem } from './item-collection.ts';

/** The items of a collection that the document describes for certain. */
export function storedItems(
  store: Store,
  collection: Collection,
  sample: MakeSample,
): ItemCollection {
  const { path, resource } = collection;
  const { idProperty, item: schema } = resource;
  const read = (): Inventory => store.read(collection);
  return {
    path,
    template: path,
    idMember: idProperty,
    schema,
    get count() {
      return read().size;
    },
    get ids() {
      return read().items.map(({ id }) => `${id}`);
    },
    list({ text, offset, limit }) {
      const wanted = text.toLowerCase();
      const { items } = read();
      const found =
        text === '' ? items : items.filter((item) => item.text.toLowerCase().includes(wanted));
      return { total: found.length, items: found.slice(offset, offset + limit).map(nameItem) };
    },
    sample: () => sampleOf(collection, read(), sample),
    add(item) {
      const stored = renderItem(collection, item, {
        name,
        nextId: () => nextId(collection, read()),
      });
      if (read().has(stored.id))
        throw unfitItem(`An item with the ${idProperty} ${stored.id} already exists.`);
      store.write(collection).put(stored);
      return nameItem(stored);
    },
    replace(text, item) {
      const id = findId(read(), text);
      if (id === undefined) return undefined;
      const whole = Object.hasOwn(item, idProperty) ? item : { [idProperty]: id, ...item };
      const stored = renderItem(collection, whole, { name, nextId: () => id });
      if (stored.id !== id)
        throw unfitItem(
          `The ${idProperty} of an item cannot change: it is ${id}, not ${stored.id}.`,
        );
      store.write(collection).put(stored);
      return nameItem(stored);
    },
    remove(text) {
      const id = findId(read(), text);
      return id !== undefined && store.write(collection).remove(id) !== undefined;
    },
  };
}

const name = 'The item';

/** The id that the service would give next; it is not taken by this, where ids are left. */
function nextId({ form }: Collection, inventory: Inventory): ItemId | undefined {
  const ahead = form.open();
  ahead.follow(inventory);
  const id = ahead.nextId();
  return id !== undefined && !inventory.has(id) ? id : inventory.nextId();
}

function nameItem({ id, text }: StoredItem): NamedItem {
  const item = parseJson(text);
  return { id: `${id}`, item: isJsonObject(item) ? item : {} };
}

/** The id that a text names: it may be a text itself, or a number. */
function findId(inventory: Inventory, name: string): ItemId | undefined {
  const integer = /^-?\d+$/.test(name) ? BigInt(name) : undefined;
  const candidates = [name, Number(name), ...(integer === undefined ? [] : [integer])];
  return candidates.find((id) => inventory.has(id) && `${id}` === name);
}

const moreSamples = ['1', '2', '3'];

/** Without an id where one can be given; else with one that is free. */
function sampleOf(
  { resource, form }: Collection,
  inventory: Inventory,
  sample: MakeSample,
): JsonObject {
  const { item: schema, idProperty } = resource;
  const given = form.open().nextId();
  const fit = (candidate: JsonValue | undefined): JsonObject | undefined => {
    if (!isJsonObject(candidate)) return undefined;
    const item = without(candidate, idProperty);
    if (given !== undefined && schema.validate({ [idProperty]: given, ...item }).length === 0)
      return item;
    const id = form.render(candidate)?.id;
    const isFree = id !== undefined && !inventory.has(id);
    return isFree && schema.validate(candidate).length === 0 ? candidate : undefined;
  };
  const plain = sample(schema);
  const found = fit(plain);
  if (found !== undefined) return found;
  for (const seed of moreSamples) {
    const other = fit(sampleSchema(schema, { direction: 'response', seed }).value);
    if (other !== undefined) return other;
  }
  const [shown] = inventory.items;
  const copy = shown && fit(parseJson(shown.text));
  return copy ?? without(isJsonObject(plain) ? plain : {}, idProperty);
}

function without(object: JsonObject, name: string): JsonObject {
  const entries: [string, JsonValue | undefined][] = Object.entries(object);
  return Object.fromEntries(entries.filter(([one]) => one !== name));
}
