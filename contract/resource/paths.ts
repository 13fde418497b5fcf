import type { Operation } from '../openapi/operation.ts';
import { successContent, successResponse } from '../openapi/response.ts';
import { findIdPlace } from './item-view.ts';
import { findPageLimit, findPageParameters } from './list-parameters.ts';
import { idNamesFor, itemEnd, parameterAtEnd, singularNames } from './names.ts';

/**
 * The kind of path of an operation. `below`: it continues that of an item; `beside`: it has one more
 * word than that of the collection, such as `/pets/batch`.
 */
export const places = ['collection', 'item', 'below', 'beside'] as const;

export type Place = (typeof places)[number];

/**
 * Roles of operations in a collection. `action` does something to one item: `POST
 * /orders/{id}/cancel`; `view` shows something about one: `GET /orders/{id}/invoice`; `bulk` changes
 * several at once.
 */
export const inferredRoles = [
  ...(['list', 'create', 'get', 'replace', 'update', 'remove'] as const),
  ...(['action', 'view', 'bulk'] as const),
];

export type InferredRole = (typeof inferredRoles)[number];

/** An operation with its role, by method and path or by the document. */
export interface PlacedRole {
  readonly operation: Operation;
  readonly place: Place;
  readonly role: InferredRole;
  /** The role is set by `x-resource-role`. */
  readonly isGiven: boolean;
}

/** The paths of one collection, with its operations by place. */
export interface CollectionPaths {
  readonly path: string;
  readonly itemPath: string | undefined;
  /** The path is that of a single item, such as `/settings`. */
  readonly isSingle: boolean;
  /** Each operation of the document is in one collection at most. */
  readonly placed: Readonly<Record<Place, Operation[]>>;
}

type Templates = ReadonlyMap<string, readonly Operation[]>;

/** The collections in the paths of a document, in its order. */
export function groupPaths(operations: readonly Operation[]): readonly CollectionPaths[] {
  const templates = groupByTemplate(operations);
  const itemPaths = findItemPaths(templates);
  const found = new Map<string, CollectionPaths>();
  const add = (root: string, isSingle: boolean): void => {
    const placed = { collection: [], item: [], below: [], beside: [] };
    const itemPath = itemPaths.get(root);
    const path = templates.get(root)?.[0]?.path ?? itemPath?.replace(itemEnd, '') ?? root;
    found.set(root, { path, itemPath, isSingle, placed });
  };
  for (const [template, there] of templates) {
    const root = collectionOf(template);
    if (root !== undefined && itemPaths.has(root) && !templates.has(root)) add(root, false);
    const isFilled = hasMethod(there, 'POST') && hasMethod(there, 'GET');
    const isOne = isSingle(template, templates);
    const isListed =
      !template.includes('{}') &&
      there.some((one) => listsObjects(one) || (!isOne && listsPages(one)));
    const isRoot = itemPaths.has(template) || (isFilled ? !template.endsWith('{}') : isListed);
    if (isRoot || isOne) add(template, !isRoot);
  }
  for (const [template, there] of templates)
    for (const operation of there) {
      const { collection, place } = findPlace(operation, template, found, templates) ?? {};
      if (place !== undefined) collection?.placed[place].push(operation);
    }
  for (const [template, { itemPath, isSingle, placed }] of found) {
    const isListed = itemPath === undefined && !isSingle && hasMethod(placed.collection, 'POST');
    const shallow = isListed ? findShallow(template, found) : undefined;
    if (shallow?.placed.collection.length === 0 && hasMethod(shallow.placed.item, 'GET')) {
      shallow.placed.collection.push(...placed.collection);
      shallow.placed.beside.push(...placed.beside);
      found.delete(template);
    }
    for (const operation of placed.below.filter(({ method }) => method === 'GET')) {
      const other = findShallow(templateOf(operation.path), found);
      if (other === undefined || !hasMethod(other.placed.collection, 'GET')) continue;
      other.placed.collection.push(operation);
      placed.below.splice(placed.below.indexOf(operation), 1);
    }
  }
  return [...found.values()];
}

/**
 * The collection whose items are also listed within a parent, which their path does not have: lists at
 * `/users/{}/meetings` are of `/meetings/{}`.
 */
function findShallow(
  template: string,
  collections: ReadonlyMap<string, CollectionPaths>,
): CollectionPaths | undefined {
  const [, holder = '', word = ''] = /^(.*)\/\{\}\/([^/{}]+)$/.exec(template) ?? [];
  for (let end = holder.length; end > 0;) {
    end = holder.lastIndexOf('/', end - 1);
    const found = collections.get(`${holder.slice(0, end)}/${word}`);
    if (found?.itemPath !== undefined) return found;
  }
  return undefined;
}

/** The collection of the template of an item: `/pets` of `/pets/{}`. */
function collectionOf(template: string): string | undefined {
  return template.endsWith('/{}') ? template.slice(0, -3) || '/' : undefined;
}

/** Item paths by collection; of several, the first that reads an item by its id. */
function findItemPaths(templates: Templates): ReadonlyMap<string, string> {
  const ofRoot = templates.get('/') ?? [];
  const found = new Map<string, string>();
  for (const [template, there] of templates) {
    const root = collectionOf(template);
    // Nearly any path is below the root, which is a collection only if it is described as one.
    const isOdd = root === '/' && !hasMethod(ofRoot, 'POST') && !ofRoot.some(listsObjects);
    const [best] = there.toSorted((one, other) => rankOf(other) - rankOf(one));
    if (root !== undefined && best !== undefined && !isOdd) found.set(root, best.path);
  }
  return found;
}

/** GET ranks before other methods, then parameters that are named as ids before others. */
function rankOf({ method, path }: Operation): number {
  return (method === 'GET' ? 2 : 0) + (/id$/i.test(parameterAtEnd(path) ?? '') ? 1 : 0);
}

/** The one collection that has an operation: that of the nearest path. */
function findPlace(
  { method, path }: Operation,
  template: string,
  collections: ReadonlyMap<string, CollectionPaths>,
  templates: Templates,
): { readonly collection: CollectionPaths; readonly place: Place } | undefined {
  const own = collections.get(template);
  if (own?.isSingle === true) return { collection: own, place: 'item' };
  const root = collectionOf(template) ?? '';
  const holder = collections.get(root);
  const isHeld = holder?.itemPath !== undefined;
  // `GET /owners/{owner}` gets an item of `/owners`, or lists what is at `/owners/{owner}/{name}`.
  const isOfAll = method === 'POST' || (method === 'GET' && !templates.has(root));
  if (own !== undefined && (isOfAll || !isHeld)) return { collection: own, place: 'collection' };
  if (isHeld) return { collection: holder, place: 'item' };
  if (method === 'POST' && /batch|bulk|import|multi/i.test(path)) {
    const collection = collections.get(template.replace(/[/:][^/:{}]+$/, ''));
    if (collection?.isSingle === false) return { collection, place: 'beside' };
  }
  // Below the nearest item whose path it continues: `/pets/{}/photo`, `/pets/{}:feed`.
  for (const { index } of [...template.matchAll(/[/:]/g)].toReversed()) {
    const collection = collections.get(collectionOf(template.slice(0, index)) ?? '');
    if (collection?.isSingle === false)
      return collection.itemPath === undefined ? undefined : { collection, place: 'below' };
  }
  return undefined;
}

/**
 * Whether a path is that of a single item: it has GET, and PUT or PATCH, and does not show the item
 * whose path it continues.
 */
function isSingle(template: string, templates: Templates): boolean {
  const there = templates.get(template) ?? [];
  if (template.endsWith('{}') || !hasMethod(there, 'GET') || !hasMethod(there, 'PUT', 'PATCH'))
    return false;
  const ofItem = templates.get(template.slice(0, template.lastIndexOf('{}') + 2)) ?? [];
  const shown = new Set(pointersOf(ofItem));
  return !pointersOf(there).some((pointer) => shown.has(pointer));
}

function pointersOf(operations: readonly Operation[]): readonly string[] {
  return operations.flatMap((operation) =>
    (successResponse(operation)?.content ?? []).flatMap(({ schema }) => schema?.pointer ?? []),
  );
}

function hasMethod(operations: readonly Operation[], ...wanted: readonly string[]): boolean {
  return operations.some(({ method }) => wanted.includes(method));
}

/** Whether GET returns an array of objects, which alone makes a path that of a collection. */
function listsObjects(operation: Operation): boolean {
  if (operation.method !== 'GET') return false;
  const { types = [], items } = successContent(operation)?.schema?.shape() ?? {};
  return types.join() === 'array' && items !== undefined && items.shape().properties.size > 0;
}

/**
 * The same for a page in an envelope: the one array in it has objects with an id, and requests surely
 * select a page and need not say what they look for.
 */
function listsPages(operation: Operation): boolean {
  const { method, path, parameters } = operation;
  const schema = method === 'GET' && path !== '/' ? successContent(operation)?.schema : undefined;
  const lists = [...(schema?.shape().properties.values() ?? [])].flatMap((member) =>
    member.shape().types.join() === 'array' ? (member.shape().items ?? []) : [],
  );
  const [items] = lists;
  const names = { inPath: [], all: idNamesFor(path).sure };
  if (items === undefined || lists.length > 1 || findIdPlace(items, names) === undefined)
    return false;
  const { page, cursor } = findPageParameters(operation, () => false);
  const paging = [page, cursor, findPageLimit(operation, () => false, undefined)?.parameter];
  return (
    paging.some((parameter) => parameter !== undefined) &&
    parameters.every((one) => one.in !== 'query' || !one.required || paging.includes(one))
  );
}

/**
 * Operations by the template of their path. `/pet` is one collection with `/pets` if only the plural
 * is listed, and items are added to the singular.
 */
function groupByTemplate(operations: readonly Operation[]): Templates {
  const templates = Map.groupBy(operations, ({ path }) => templateOf(path));
  const plurals = new Map<string, string>();
  for (const [plural, there] of templates) {
    const start = plural.lastIndexOf('/') + 1;
    if (plural.endsWith('{}') || !hasMethod(there, 'GET') || templates.has(`${plural}/{}`))
      continue;
    for (const name of singularNames(plural)) {
      const singular = plural.slice(0, start) + name;
      const own = templates.get(singular) ?? [];
      const isPart = hasMethod(own, 'POST') && !hasMethod(own, 'GET');
      if (singular !== plural && isPart) plurals.set(singular, plural);
    }
  }
  if (plurals.size === 0) return templates;
  return Map.groupBy(operations, ({ path }) => {
    const template = templateOf(path);
    const ends = [...template.matchAll(/\/\{\}/g)].map(({ index }) => template.slice(0, index));
    const found = [template, ...ends].find((part) => plurals.has(part));
    return found === undefined ? template : `${plurals.get(found)}${template.slice(found.length)}`;
  });
}

/** A path without the names of its parameters and without an extension; `/pets/{}` for OData's `/pets({})`. */
export function templateOf(path: string): string {
  const template = path.replaceAll(/\{[^{}]*\}/g, '{}').replaceAll('({})', '/{}');
  return template.replace(/(?<=[^/])\.\w+$|(?<=.)\/$/, '');
}
