import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Collection } from '../collection.ts';
import { compileValues, fillPath } from '../paths.ts';
import { ItemCollection } from './item-collection.ts';

/** Items of a collection whose nested collections are listed. */
const mostParents = 20;

/** Places of one nested collection that are listed. */
const mostPlaces = 100;

/** The collections of a sandbox: those of the document, nested ones within the items there are. */
export function listCollections(sandbox: Sandbox): readonly ItemCollection[] {
  const known: ItemCollection[] = [];
  const { collections, contract } = sandbox.service;
  // A single resource is not a collection. Parents come before their nested collections.
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

/** The collection at a path; undefined if the document has none. */
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

/** Values of the parameters of its path: of places in use, and of parent items. */
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
