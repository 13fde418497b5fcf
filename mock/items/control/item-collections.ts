import { type JsonObject, hasCode } from '../../../contract/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Collection } from '../collection.ts';
import { compileValues, fillPath } from '../paths.ts';
import { ItemCollection } from './item-collection.ts';

/** Within so many items of a collection those of nested ones are listed. */
const mostParents = 20;

/** So many places of one nested collection are listed. */
const mostPlaces = 100;

/** The collections of a sandbox: those of the document, nested ones within the items there are. */
export function listCollections(sandbox: Sandbox): readonly ItemCollection[] {
  const known: ItemCollection[] = [];
  const { collections, contract } = sandbox.service;
  // What is one item at its path is not a collection; parents come before what is within them.
  const byDepth = collections.all
    .filter(({ resource }) => !resource.isSingle)
    .toSorted((one, other) => one.resource.parents.length - other.resource.parents.length);
  for (const collection of byDepth)
    for (const values of valuesOf(collection, sandbox, known))
      known.push(openAt(sandbox, collection, values));
  const paths = contract.operations.map(({ path }) => path);
  const placeOf = ({ template }: ItemCollection): number =>
    paths.findIndex((path) => path === template || path.startsWith(`${template}/`));
  return known.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The collection at a path; undefined where the document has none there. */
export function findCollection(sandbox: Sandbox, path: string): ItemCollection | undefined {
  const found = sandbox.service.collections.find(path);
  return found && openAt(sandbox, found.collection, found.values);
}

function openAt(
  sandbox: Sandbox,
  collection: Collection,
  values: readonly string[],
): ItemCollection {
  const path = fillPath(collection.path, values);
  return new ItemCollection(collection, path, {
    sandbox,
    pathValues: values,
    now: sandbox.clock.now(),
  });
}

/** Values of the parameters of its path: of places in use, and of items that it is within. */
function valuesOf(
  { path, resource }: Collection,
  { store }: Sandbox,
  known: readonly ItemCollection[],
): readonly (readonly string[])[] {
  if (resource.parents.length === 0) return [[]];
  const [, parentPath = ''] = /^(.*)\/\{[^{}]*\}\/[^{}]*$/.exec(path) ?? [];
  const matchParent = compileValues(parentPath);
  const within = known.flatMap((parent) => {
    const values = matchParent(parent.path);
    if (values === undefined) return [];
    return parent.ids.slice(0, mostParents).map((id) => [...values, id]);
  });
  const match = compileValues(path);
  const used = [...store.inventories.keys()].flatMap((one) => {
    const values = match(one);
    return values === undefined ? [] : [values];
  });
  const all = new Map([...within, ...used].map((values) => [JSON.stringify(values), values]));
  return [...all.values()].slice(0, mostPlaces);
}

/** Puts items in the place of those of their collections, by path. What does not fit is left out. */
export function fillCollections(
  sandbox: Sandbox,
  items: Readonly<Record<string, readonly JsonObject[]>>,
): void {
  for (const [path, wanted] of Object.entries(items)) {
    const collection = findCollection(sandbox, path);
    if (collection === undefined) continue;
    for (const id of collection.ids) collection.remove(id);
    for (const item of wanted) addItem(collection, item);
  }
}

function addItem(collection: ItemCollection, item: JsonObject): void {
  try {
    collection.add(item);
  } catch (error) {
    if (!hasCode(error, 'seed')) throw error;
  }
}
