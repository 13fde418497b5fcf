import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { valueAt, withoutMember } from '../../contract/json/place.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../contract/json/value.ts';
import { successContent } from '../../contract/openapi/response.ts';
import { membersOf, schemaAt } from '../../contract/resource/item-view.ts';
import { plainName } from '../../contract/resource/names.ts';
import type { InferredResource, ItemView } from '../../contract/resource/resource.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { Choices } from '../choice/choices.ts';
import { type Collection, Collections, type ItemPlace } from './collection.ts';
import { bodyWithoutItem, isShownElsewhere, itemInBody, withMade } from './item-view.ts';
import { type ItemId, type OpenItem, isItemId, plainItem } from './store/item.ts';
import type { Inventory } from './store/store.ts';

/** Initial items by collection path: `{"/pets": [...]}`. Items without an id get one. */
export type Seed = JsonObject;

/**
 * The collections of a document with their initial items: a seed, or what the document shows.
 * `onUnfitItem`: called for items that are left out; by default they are thrown as `PetstoreError`.
 */
export function openCollections(
  choices: Choices,
  seed: Seed | undefined,
  onUnfitItem?: (fault: PetstoreError) => void,
): Collections {
  if (seed === undefined) return new Collections(choices, fillWithExamples);
  const given = new Map<string, Inventory>();
  const collections = new Collections(choices, fillWithExamples, given);
  const open = (path: string, collection: Collection) => {
    const inventory = given.get(path) ?? collection.openEmpty();
    given.set(path, inventory);
    return { inventory };
  };
  storeSeed(seed, collections, open, onUnfitItem);
  for (const inventory of given.values()) inventory.seal();
  return collections;
}

/**
 * Stores a seed in the inventories that `open` returns for its paths. `onUnfitItem`: called for
 * invalid items, which are left out; by default they are thrown as `PetstoreError`.
 */
export function storeSeed(
  seed: Seed,
  collections: Pick<Collections, 'all' | 'find'>,
  open: (path: string, collection: Collection) => Omit<ItemPlace, 'pathValues'>,
  onUnfitItem: (fault: PetstoreError) => void = raise,
): void {
  for (const [path, items] of Object.entries(seed)) {
    const found = collections.find(path);
    if (found === undefined) {
      const known = collections.all.flatMap((one) => (one.resource.isSingle ? [] : [one.path]));
      const has = known.length === 0 ? 'has none' : `has ${known.join(', ')}`;
      const fault = `The seed names ${path}, which is not a collection of the document; it ${has}.`;
      onUnfitItem(unfitItem(fault));
    } else if (!isJsonArray(items))
      onUnfitItem(unfitItem(`The seed of ${path} must be an array of items.`));
    else {
      const { collection, values: pathValues } = found;
      const place = { pathValues, ...open(path, collection) };
      for (const [index, item] of items.entries()) {
        const problem = collection.store(item, place);
        if (problem !== undefined)
          onUnfitItem(unfitItem(`Seed item ${index} of ${path} ${problem}.`));
      }
    }
  }
}

/** An error about an item, for the author of the seed. */
export function unfitItem(message: string): PetstoreError {
  return new PetstoreError('seed', message);
}

function raise(fault: PetstoreError): never {
  throw fault;
}

const maxExamples = 20;
const madeItems = 2;

/**
 * Fills an inventory with the items that the document shows. Without any it generates two, or as many
 * as the list must have.
 */
function fillWithExamples(
  collection: Collection,
  inventory: Inventory,
  pathValues: readonly string[],
): void {
  const { resource, plain } = collection;
  const { sample } = collection.all;
  const parents = collection.parentMembers(pathValues);
  const list = collection.operationOf('list');
  const isPartial = list !== undefined && resource.isPartial(list);
  // Each item is of one of the parents.
  const within = isPartial ? collection.madeAtStart(list) : [];
  const named = isPartial ? collection.parentMembers([], list.path) : parents;
  const view = list && resource.viewOf(list);
  const first = view && itemInBody(view, bodyWithoutItem(view, sample));
  const listed =
    list && view && plain === undefined && isShownElsewhere(resource, list)
      ? collection.elementOf(view, first)
      : undefined;
  const put = (item: OpenItem, shown: JsonValue): void => {
    const made = { ...item.made, ...parents, ...within[inventory.size % within.length] };
    const open = { ...item, made };
    // Other responses show what lists show of an item.
    const settled =
      view && listed ? withMade(open, view, listed.value(collection.close(open, inventory))) : open;
    const closed = collection.close(settled, inventory);
    inventory.put(collection.named(closed, listed?.value(closed) ?? shown));
  };
  const nextKey = (): string => collection.nextId(inventory) ?? '';
  const makeUp = (most: number): void => {
    // The item as the list shows it before anything is known of it, without the id.
    const shown =
      view?.idPlace && isJsonObject(first) ? withoutMember(first, view.idPlace) : (first ?? null);
    for (let count = 0; count < most; count += 1) {
      const made = count === 0 ? {} : variedMembers(resource, `${count}`);
      put({ ...plainItem(nextKey()), made }, shown);
    }
  };
  const examples = exampleItems(view).filter(({ key }) => key !== undefined || plain === undefined);
  const get = collection.operationOf('get');
  const single = exampleItems(get && resource.viewOf(get)).filter(({ key }) => key !== undefined);
  const inList = view && membersOf(view.item);
  for (const { key = nextKey(), members } of [...examples, ...single].slice(0, maxExamples)) {
    // The example of a list may lack members that its items have in that of a single one.
    const { members: alone } = single.find((one) => one.key === key) ?? {};
    // The items are within this parent, whatever the examples say.
    const own = Object.entries({ ...alone, ...members }).filter(
      ([name]) =>
        !Object.hasOwn(named, plainName(name)) &&
        (Object.hasOwn(members, name) || inList?.has(name)),
    );
    if (!inventory.has(key)) put(plainItem(key, Object.fromEntries(own)), members);
  }
  const { minItems = 0, maxItems = maxExamples } =
    (list && successContent(list)?.schema?.shape()) ?? {};
  if (inventory.size === 0) makeUp(Math.min(Math.max(minItems, madeItems), maxItems, maxExamples));
  for (const key of parameterIds(resource, view)) if (!inventory.has(key)) put(plainItem(key), {});
}

/** Texts and numbers that make an item differ from the first one, if every view allows them. */
function variedMembers({ showing, viewOf }: InferredResource, seed: string): JsonObject {
  const items = showing.flatMap((operation) => viewOf(operation)?.item ?? []);
  const [first] = items;
  const { value } = first ? sampleSchema(first, { direction: 'response', seed }) : { value: null };
  const named = items.map((item) => membersOf(item));
  const made: Record<string, JsonValue> = {};
  for (const [name, member] of isJsonObject(value) ? Object.entries(value) : []) {
    if (typeof member !== 'string' && typeof member !== 'number') continue;
    const isShown = named.every((members) => {
      const schema = members.get(name);
      if (schema === undefined) return true;
      return schema.shape().values === undefined && schema.isValid(member);
    });
    if (isShown) made[plainName(name)] = member;
  }
  return made;
}

/** Items in the examples of a response, with their identifiers. */
function exampleItems(view: ItemView | undefined) {
  if (view === undefined) return [];
  return view.content.examples.flatMap(({ value }) => {
    const found = valueAt(value, view.place);
    const items = (isJsonArray(found) ? found : [found]).filter(isJsonObject);
    return items.map((members) => {
      const id = view.idPlace && valueAt(members, view.idPlace);
      return { key: isNamed(id) ? `${id}` : undefined, members };
    });
  });
}

/**
 * Ids that the document shows for the path parameter, and that lists can show: a slug is not a
 * number.
 */
function parameterIds(
  { idParameter }: InferredResource,
  view: ItemView | undefined,
): readonly string[] {
  if (idParameter === undefined) return [];
  const shown = view?.idPlace && schemaAt(view.item, view.idPlace);
  const isShown = (value: ItemId): boolean =>
    shown === undefined ||
    [value, String(value), Number(value)].some((each) => shown.isValid(each));
  const { examples, default: standard } = idParameter.schema.shape();
  const own = idParameter.examples.map(({ value }) => value);
  return [...own, ...examples, standard].filter(isNamed).filter(isShown).map(String);
}

function isNamed(value: JsonValue | undefined): value is ItemId {
  return isItemId(value) && value !== '';
}
