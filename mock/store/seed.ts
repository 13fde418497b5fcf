import {
  type Issue,
  type JsonObject,
  type JsonValue,
  type Resource,
  appendPointer,
  isJsonObject,
  parseJson,
  renderJson,
  PetstoreError,
  hasCode,
} from '../../contract/index.ts';
import type { Collection } from './collection.ts';
import { renderIssues } from '../http/issue-message.ts';
import type { Inventory, StoredItem } from './inventory.ts';
import type { ItemId } from './item-id.ts';
import { isItemId } from './stored-form.ts';

/** Items to start with, by collection path: `{"/pets": [...]}`. Items without an id get one. */
export type Seed = JsonObject;

/** The items that the document shows: the longest example of each list, as far as they fit. */
export function exampleSeed(collections: readonly Collection[]): Seed {
  return Object.fromEntries(
    collections.map(({ resource }) => {
      const { list, item: schema, collectionPath, idProperty } = resource;
      const lists = list.responses
        .flatMap(({ content }) => content.flatMap(({ examples }) => examples))
        .map(({ value }) => listOf(value).filter((item) => schema.validate(item).length === 0));
      const [longest = []] = lists.toSorted((a, b) => b.length - a.length);
      return [collectionPath, uniqueItems(longest, idProperty)];
    }),
  );
}

/** The seed of collections, as JSON again. */
export function readSeed(collections: readonly Collection[]): Seed {
  return Object.fromEntries(
    collections.map(({ path, seed }) => [path, seed.items.map(({ text }) => parseJson(text))]),
  );
}

/** How a seed is stored. */
export interface SeedOptions {
  /** Where the items go; by default into the seed inventories of the collections. */
  readonly inventoryOf?: (collection: Collection) => Inventory;
  /** Called for what does not fit, which is left out then; by default it is thrown. */
  readonly onUnfitItem?: ((fault: PetstoreError) => void) | undefined;
  /** The items passed validation before. */
  readonly isTrusted?: boolean;
}

/** Stores a seed. Throws `PetstoreError` for an unfit item, unless told otherwise. */
export function storeSeed(
  collections: readonly Collection[],
  seed: Seed,
  {
    inventoryOf = ({ seed: items }) => items,
    onUnfitItem = raise,
    isTrusted = false,
  }: SeedOptions = {},
): void {
  const byPath = new Map(collections.map((collection) => [collection.path, collection]));
  for (const [path, items] of Object.entries(seed)) {
    const collection = byPath.get(path);
    if (collection === undefined) onUnfitItem(unfit(unknownPath(path, collections)));
    else if (!Array.isArray(items))
      onUnfitItem(unfit(`The seed of ${path} must be an array of items.`));
    else
      for (const [index, item] of listOf(items).entries())
        tryToStore(
          () => storeItem(collection, inventoryOf(collection), { index, value: item, isTrusted }),
          onUnfitItem,
        );
  }
}

const unfit = (message: string): PetstoreError => new PetstoreError('seed', message);

function raise(fault: PetstoreError): never {
  throw fault;
}

function tryToStore(act: () => void, onUnfitItem: (fault: PetstoreError) => void): void {
  try {
    act();
  } catch (fault) {
    if (!hasCode(fault, 'seed')) throw fault;
    onUnfitItem(fault);
  }
}

interface SeedItem {
  readonly index: number;
  readonly value: JsonValue;
  readonly isTrusted: boolean;
}

function storeItem(
  collection: Collection,
  inventory: Inventory,
  { index, value, isTrusted }: SeedItem,
): void {
  const name = `Seed item ${index} of ${collection.path}`;
  const onIssues = (item: JsonObject, issues: readonly Issue[]): void =>
    keepId(collection.resource, inventory, item, issues);
  const nextId = (): ItemId | undefined => inventory.nextId();
  const stored = renderItem(collection, value, { name, nextId, isTrusted, onIssues });
  if (inventory.has(stored.id))
    throw unfit(
      `${name} has the ${collection.resource.idProperty} ${stored.id}, which an item before it has.`,
    );
  inventory.put(stored);
}

/** How an item is judged before it is stored. */
interface ItemOptions {
  /** What messages call it. */
  readonly name: string;
  /** Gives an id to one that has none. */
  readonly nextId: () => ItemId | undefined;
  readonly isTrusted?: boolean;
  /** Called before an item that breaks the contract is thrown. */
  readonly onIssues?: (item: JsonObject, issues: readonly Issue[]) => void;
}

/** An item as it is stored, with an id of its own if need be. Throws `PetstoreError` if unfit. */
export function renderItem(
  { resource, form }: Collection,
  value: JsonValue,
  { name, nextId, isTrusted = false, onIssues }: ItemOptions,
): StoredItem {
  const { idProperty } = resource;
  if (!isJsonObject(value)) throw unfit(`${name} must be an object.`);
  const item = Object.hasOwn(value, idProperty) ? value : { [idProperty]: nextId(), ...value };
  const issues = isTrusted ? [] : resource.item.validate(item);
  if (issues.length > 0) {
    onIssues?.(item, issues);
    throw unfit(`${name} breaks the contract: ${renderIssues(issues)}.`);
  }
  const stored = form.render(item);
  if (stored === undefined) throw unfit(`${name} has an ${idProperty} that can name nothing.`);
  return stored;
}

/** An item that is left out may fit a later document: its id is not for another. */
function keepId(
  { idProperty }: Resource,
  inventory: Inventory,
  item: JsonObject,
  issues: readonly Issue[],
): void {
  const id = item[idProperty];
  if (isItemId(id) && issues.every(({ at }) => at !== appendPointer('', idProperty)))
    inventory.note(id);
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function uniqueItems(items: readonly JsonValue[], idProperty: string): readonly JsonValue[] {
  const byId = new Map<string, JsonValue>();
  for (const item of items)
    if (isJsonObject(item)) byId.set(renderJson(item[idProperty] ?? null), item);
  return [...byId.values()];
}

function unknownPath(path: string, collections: readonly Collection[]): string {
  const known = collections.map(({ resource }) => resource.collectionPath).join(', ');
  return `The seed names ${path}, which is no collection of the document; ${known === '' ? 'it has none' : `it has ${known}`}.`;
}
