import type { InferredResource } from '../../contract/resource/resource.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../contract/json/value.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { renderPointer } from '../../contract/json/pointer.ts';
import { membersOf, schemaAt } from '../../contract/resource/item-view.ts';
import { plainName } from '../../contract/resource/names.ts';
import { successContent } from '../../contract/openapi/response.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { renderIssues } from '../http/issue-message.ts';
import type { Collection, Place } from './collection.ts';
import type { Inventory } from './store/inventory.ts';
import { type Item, type ItemId, type OpenItem, isItemId, plainItem } from './store/item.ts';
import {
  type MakeSample,
  bodyWithoutItem,
  isShownElsewhere,
  itemInBody,
  withMade,
} from './view/item-view.ts';
import { valueAt, withValueAt, withoutMember } from '../../contract/json/place.ts';

/** Items to start with, by collection path: `{"/pets": [...]}`. Items without an id get one. */
export type Seed = JsonObject;

/** Where items go, and when a client creates them; undefined for what is there at first. */
export interface SeedPlace {
  readonly collection: Collection;
  readonly inventory: Inventory;
  readonly pathValues: readonly string[];
  readonly now?: number | undefined;
}

interface SeedCollections {
  readonly all: readonly Collection[];
  find(
    path: string,
  ): { readonly collection: Collection; readonly values: readonly string[] } | undefined;
}

/**
 * Stores a seed in the inventories that `open` gives for the places of paths. `onUnfitItem`: called for
 * what does not fit, which is left out then; by default it is thrown as `PetstoreError`.
 */
export function storeSeed(
  seed: Seed,
  collections: SeedCollections,
  open: (path: string, collection: Collection) => Pick<SeedPlace, 'inventory' | 'now'>,
  onUnfitItem: (fault: PetstoreError) => void = raise,
): void {
  for (const [path, items] of Object.entries(seed)) {
    const found = collections.find(path);
    if (found === undefined) onUnfitItem(unfitItem(unknownPath(path, collections.all)));
    else if (!Array.isArray(items))
      onUnfitItem(unfitItem(`The seed of ${path} must be an array of items.`));
    else {
      const { collection, values: pathValues } = found;
      const place = { collection, pathValues, ...open(path, collection) };
      for (const [index, item] of listOf(items).entries()) {
        const problem = storeItem(place, item);
        if (problem !== undefined)
          onUnfitItem(unfitItem(`Seed item ${index} of ${path} ${problem}.`));
      }
    }
  }
}

/** An error of an item, for its author. */
export function unfitItem(message: string): PetstoreError {
  return new PetstoreError('seed', message);
}

function raise(fault: PetstoreError): never {
  throw fault;
}

/** Why an item cannot be stored; undefined once it is. */
function storeItem(place: SeedPlace, value: JsonValue): string | undefined {
  const { collection, inventory } = place;
  const nextId = (): ItemId | undefined => collection.nextId(inventory);
  const item = makeItem(place, value, { nextId, isKept: true });
  if (typeof item === 'string') return item;
  if (inventory.has(item.id))
    return `has the ${collection.idPlace?.join('.') ?? collection.idLabel} ${item.id}, which an item before it has`;
  inventory.put(item);
  return undefined;
}

/** How an item is made that is to be stored. */
interface ItemOptions {
  /** Gives an id to one that has none. */
  readonly nextId: () => ItemId | undefined;
  /** Gives no later item the id of one that is left out: it may fit a later document. */
  readonly isKept?: boolean;
}

/** An item as it is stored, with an id of its own if need be; a sentence where it is unfit. */
export function makeItem(
  { collection, inventory, pathValues, now }: SeedPlace,
  value: JsonValue,
  { nextId, isKept = false }: ItemOptions,
): Item | string {
  const { idPlace, itemSchema: schema, plain } = collection;
  if (!isJsonObject(value)) return 'must be an object';
  const own = idPlace === undefined ? undefined : valueAt(value, idPlace);
  const made = own === undefined ? nextId() : undefined;
  const given = made === undefined ? undefined : collection.idOf(`${made}`);
  const id = own ?? given;
  const item = given === undefined ? value : withId(value, idPlace, given);
  const issues = schema?.validate(item) ?? [];
  if (issues.length > 0) {
    const isIdValid = issues.every(({ at }) => at !== renderPointer(idPlace ?? ['']));
    if (isKept && isItemId(id) && isIdValid) inventory.note(id);
    return `breaks the contract: ${renderIssues(issues)}`;
  }
  if (!isItemId(id)) return `has an ${idPlace?.join('.') ?? 'id'} that can name nothing`;
  if (plain !== undefined) return plain.close(item, id);
  return collection.close(
    {
      ...plainItem(`${made ?? id}`, value),
      made: collection.parentMembers({ pathValues }),
      createdAt: now,
      changedAt: now,
    },
    inventory,
  );
}

/** An item with its id, first where it is a member of its own. */
function withId(item: JsonObject, place: readonly string[] | undefined, id: ItemId): JsonObject {
  if (place === undefined) return item;
  const [name = '', ...rest] = place;
  return rest.length === 0
    ? { [name]: id, ...item }
    : { ...item, [name]: withValueAt(item[name], rest, id) };
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function unknownPath(path: string, collections: readonly Collection[]): string {
  const known = collections.flatMap((one) => (one.resource.isSingle ? [] : [one.path]));
  return `The seed names ${path}, which is not a collection of the document; ${known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`}.`;
}

const mostExamples = 20;
const madeItems = 2;

/**
 * Fills an inventory with the items that the document shows. Where responses differ in what they show of
 * an item, or show no item, a few are made up.
 */
export function fillWithExamples(
  collection: Collection,
  inventory: Inventory,
  place: Pick<Place, 'pathValues'>,
): void {
  const { resource, sample, plain, itemSchema } = collection;
  const parents = collection.parentMembers(place);
  const list = collection.operationOf('list');
  const view = list && resource.viewOf(list);
  const listed =
    list && view && plain === undefined && isShownElsewhere(resource, list)
      ? collection.elementOf(view, itemInBody(view, bodyWithoutItem(view, sample)))
      : undefined;
  /** What lists show of an item is what other responses show. */
  const settle = (item: OpenItem): OpenItem =>
    view === undefined || listed === undefined
      ? item
      : withMade(item, view, listed.value(collection.close(item, inventory)));
  const put = (item: OpenItem, shown: JsonValue): void => {
    const open = { ...item, made: { ...item.made, ...parents } };
    inventory.put(collection.named(collection.close(settle(open), inventory), shown));
  };
  const nextKey = (): string => collection.nextId(inventory) ?? '';
  const makeUp = (most: number): void => {
    for (let count = 0; count < most; count += 1) {
      const made = count === 0 ? {} : variedMembers(resource, `${count}`);
      put({ ...plainItem(nextKey()), made }, sampledItem(resource, sample));
    }
  };
  if (plain !== undefined) {
    for (const { key, members } of exampleItems(resource, 'list'))
      if (key !== undefined && itemSchema?.validate(members).length === 0)
        put(plainItem(key, members), members);
    const least = (list && successContent(list)?.schema?.shape().minItems) ?? 0;
    if (inventory.size === 0) makeUp(Math.min(least, mostExamples));
    return;
  }
  const single = exampleItems(resource, 'get').filter(({ key }) => key !== undefined);
  const examples = [...exampleItems(resource, 'list'), ...single].slice(0, mostExamples);
  for (const { key = nextKey(), members } of examples) {
    // Whatever the examples say: they are within this parent.
    const own = Object.entries(members).filter(
      ([name]) => !Object.hasOwn(parents, plainName(name)),
    );
    if (!inventory.has(key)) put(plainItem(key, Object.fromEntries(own)), members);
  }
  if (inventory.size === 0) makeUp(madeItems);
  for (const key of parameterIds(resource)) if (!inventory.has(key)) put(plainItem(key), {});
}

/** An item as the list shows it before anything is known of it, without the id that is its own. */
function sampledItem({ operations, viewOf }: InferredResource, sample: MakeSample): JsonValue {
  const list = operations.find(({ role }) => role === 'list')?.operation;
  const view = list && viewOf(list);
  const item = (view && itemInBody(view, bodyWithoutItem(view, sample))) ?? null;
  if (view?.idPlace === undefined || !isJsonObject(item)) return item;
  return withoutMember(item, view.idPlace);
}

/** Texts and numbers that tell an item from the first one, where every view may show them. */
function variedMembers({ showing, viewOf }: InferredResource, seed: string): JsonObject {
  const views = showing.map((operation) => viewOf(operation)).filter((one) => one !== undefined);
  const [first] = views;
  if (first === undefined) return {};
  const { value } = sampleSchema(first.item, { direction: 'response', seed });
  const named = views.map(({ item }) => membersOf(item));
  const made = Object.entries(isJsonObject(value) ? value : {}).filter(
    ([name, member]) =>
      (typeof member === 'string' || typeof member === 'number') &&
      named.every((members) => {
        const schema = members.get(name);
        return (
          schema === undefined ||
          (schema.shape().values === undefined && schema.validate(member).length === 0)
        );
      }),
  );
  return Object.fromEntries(made.map(([name, member]) => [plainName(name), member]));
}

interface ExampleItem {
  readonly key: string | undefined;
  readonly members: JsonObject;
}

/** Items in the examples of an operation. */
function exampleItems(
  { operations, viewOf }: InferredResource,
  wanted: 'list' | 'get',
): readonly ExampleItem[] {
  const operation = operations.find(({ role }) => role === wanted)?.operation;
  const view = operation && viewOf(operation);
  if (view === undefined) return [];
  return view.content.examples.flatMap(({ value }) => {
    const found = valueAt(value, view.place);
    const items: readonly (JsonValue | undefined)[] = Array.isArray(found) ? found : [found];
    return items.filter(isJsonObject).map((members) => {
      const id = view.idPlace && valueAt(members, view.idPlace);
      return { key: isNamed(id) ? `${id}` : undefined, members };
    });
  });
}

/** Ids that the document shows for the path parameter, and that lists can show: a slug is not a number. */
function parameterIds({ idParameter, operations, viewOf }: InferredResource): readonly string[] {
  if (idParameter === undefined) return [];
  const list = operations.find(({ role }) => role === 'list')?.operation;
  const view = list && viewOf(list);
  const shown = view?.idPlace && schemaAt(view.item, view.idPlace);
  const isShown = (value: ItemId): boolean =>
    shown === undefined ||
    [value, String(value), Number(value)].some((each) => shown.validate(each).length === 0);
  const { examples, default: standard } = idParameter.schema.shape();
  const own = idParameter.examples.map(({ value }) => value);
  return [...own, ...examples, standard].filter(isNamed).filter(isShown).map(String);
}

function isNamed(value: JsonValue | undefined): value is ItemId {
  return isItemId(value) && value !== '';
}
