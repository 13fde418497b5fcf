import { compilePathMatch } from '../../../contract/index.ts';
import type { InferredCollection } from '../../inferred/collection.ts';
import { fillPath } from '../../inferred/paths.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type ItemPlace, inferredItems } from './inferred-items.ts';
import type { ItemCollection } from './item-collection.ts';
import { storedItems } from './stored-items.ts';

/** Within so many items of a collection those of nested ones are listed. */
const mostParents = 20;

/** So many places of one nested collection are listed. */
const mostPlaces = 100;

/** The collections of a sandbox: those of the document, nested ones within the items there are. */
export function listCollections(sandbox: Sandbox): readonly ItemCollection[] {
  const certain = certainCollections(sandbox);
  const inferred = inferredOf(sandbox);
  const known: ItemCollection[] = [...certain];
  // Parents come before what is within them.
  const byDepth = inferred.toSorted(
    (one, other) => one.resource.parents.length - other.resource.parents.length,
  );
  for (const collection of byDepth)
    for (const values of valuesOf(collection, sandbox, known))
      known.push(openInferred(sandbox, collection, values));
  const paths = sandbox.service.contract.operations.map(({ path }) => path);
  const placeOf = ({ template }: ItemCollection): number =>
    paths.findIndex((path) => path === template || path.startsWith(`${template}/`));
  return known.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The collection at a path; undefined where the document has none there. */
export function findCollection(sandbox: Sandbox, path: string): ItemCollection | undefined {
  const certain = certainCollections(sandbox).find((one) => one.path === path);
  if (certain !== undefined) return certain;
  for (const collection of inferredOf(sandbox)) {
    const values = compilePath(collection.resource.path)(path);
    if (values !== undefined) return openInferred(sandbox, collection, values);
  }
  return undefined;
}

function certainCollections({ store, service }: Sandbox): readonly ItemCollection[] {
  return service.collections.map((collection) =>
    storedItems(store, collection, service.inferred.sample),
  );
}

/** What is one item at its path is no collection. */
function inferredOf({ service }: Sandbox): readonly InferredCollection[] {
  const certain = new Set(service.collections.map(({ path }) => path));
  return service.inferred.all.filter(
    ({ resource }) => !resource.isSingle && !certain.has(resource.path),
  );
}

function openInferred(
  sandbox: Sandbox,
  collection: InferredCollection,
  values: readonly string[],
): ItemCollection {
  const place: ItemPlace = { sandbox, pathValues: values, now: sandbox.clock.now() };
  return inferredItems(collection, fillPath(collection.resource.path, values), place);
}

/** Values of the parameters of its path: of places in use, and of items that it is within. */
function valuesOf(
  { resource }: InferredCollection,
  { store }: Sandbox,
  known: readonly ItemCollection[],
): readonly (readonly string[])[] {
  const { path, parents } = resource;
  if (parents.length === 0) return [[]];
  const [, parentPath = ''] = /^(.*)\/\{[^{}]*\}\/[^{}]*$/.exec(path) ?? [];
  const matchParent = compilePath(parentPath);
  const within = known.flatMap((parent) => {
    const values = matchParent(parent.path);
    if (values === undefined) return [];
    return parent.ids.slice(0, mostParents).map((id) => [...values, id]);
  });
  const match = compilePath(path);
  const used = [...store.entities.counts.keys()].flatMap((one) => {
    const values = match(one);
    return values === undefined ? [] : [values];
  });
  const all = new Map([...within, ...used].map((values) => [JSON.stringify(values), values]));
  return [...all.values()].slice(0, mostPlaces);
}

/** Reads the decoded values of a template's parameters; undefined for a path of another. */
function compilePath(template: string): (path: string) => readonly string[] | undefined {
  const match = compilePathMatch(template);
  return (path) => match(path)?.map(decode);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
