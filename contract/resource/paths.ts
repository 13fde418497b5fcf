import type { Operation } from '../openapi/operation.ts';
import { successResponse } from '../openapi/response.ts';
import { listedItem } from './item-view.ts';
import { singularNames } from './names.ts';

/** Operations by what their paths are: of a collection, of an item, below an item. */
export interface CollectionPaths {
  readonly path: string;
  readonly itemPath: string | undefined;
  /** Name of the last parameter of the item path. */
  readonly idName: string | undefined;
  readonly ofCollection: readonly Operation[];
  readonly ofItem: readonly Operation[];
  /** Of paths that go on after that of an item and are no collection. */
  readonly below: readonly Operation[];
  /** Of paths with one more word after that of the collection: `/pets/batch`. */
  readonly beside: readonly Operation[];
  /** The path is that of a single item, as `/settings`, and not of a collection. */
  readonly isSingle: boolean;
}

const itemEnd = /\/\{([^{}/]+)\}(\.\w+)?\/?$/;
const extension = /\.\w+$/;

/** The collections that the paths of a document speak of, in the document's order. */
export function groupPaths(operations: readonly Operation[]): readonly CollectionPaths[] {
  const templateOf = joinSingulars(operations);
  const byPath = Map.groupBy(operations, ({ path }) => templateOf(path));
  const itemPaths = new Map<string, string>();
  const ranks = new Map<string, number>();
  for (const { path, method } of operations) {
    const match = itemEnd.exec(path);
    if (match === null) continue;
    const collection = templateOf(path.slice(0, match.index) || '/');
    // Nearly any path is below the root: it is a collection only where it is described as one.
    const ofRoot = byPath.get('/') ?? [];
    if (collection === '/' && !hasMethod(ofRoot, 'POST') && !ofRoot.some(isListOfObjects)) continue;
    // Of paths that name items in several ways, the first that reads one by its id.
    const rank = (method === 'GET' ? 2 : 0) + (/id$/i.test(match[1] ?? '') ? 1 : 0);
    if (rank <= (ranks.get(collection) ?? -1)) continue;
    ranks.set(collection, rank);
    itemPaths.set(collection, path);
  }
  const roots = new Set(itemPaths.keys());
  for (const [template, there] of byPath) {
    const isFilled = hasMethod(there, 'POST') && hasMethod(there, 'GET');
    if (
      isFilled ? !template.endsWith('{}') : !template.includes('{}') && there.some(isListOfObjects)
    )
      roots.add(template);
  }
  const singles = findSingles(byPath, roots);
  const order = new Map([...byPath.keys()].map((template, index) => [template, index]));
  const rankOf = ({ ofCollection, ofItem }: CollectionPaths): number => {
    const [first] = [...ofCollection, ...ofItem];
    return order.get(templateOf(first?.path ?? '')) ?? 0;
  };
  const others = new Map([...byPath].filter(([template]) => !singles.has(template)));
  const itemTemplates = new Map([...itemPaths].map(([root, path]) => [root, templateOf(path)]));
  const within = indexWithin([...others.keys()], roots, itemTemplates);
  const groups = [...roots].map((root) =>
    groupOf({ root, path: itemPaths.get(root), template: itemTemplates.get(root) }, others, within),
  );
  return [...groups, ...[...singles].map(([, operations]) => singleOf(operations))]
    .filter(({ ofCollection, ofItem }) => ofCollection.length + ofItem.length > 0)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Nothing has to be added to a collection, or read by itself, to be one. */
function isListOfObjects(operation: Operation): boolean {
  return operation.method === 'GET' && listedItem(operation) !== undefined;
}

/** A collection, and the path of its items as it is written and as a template. */
interface Root {
  readonly root: string;
  readonly path: string | undefined;
  readonly template: string | undefined;
}

function groupOf(
  { root, path: itemPath, template: itemTemplate }: Root,
  byPath: ReadonlyMap<string, readonly Operation[]>,
  within: Within,
): CollectionPaths {
  const ofCollection = byPath.get(root) ?? [];
  const below = itemTemplate === undefined ? [] : within.below(itemTemplate);
  const isOfItem = new Set([itemTemplate, ...below]);
  const beside = within.after(root).filter((one) => !isOfItem.has(one) && isBeside(one, root));
  const match = itemPath === undefined ? null : itemEnd.exec(itemPath);
  const written = ofCollection[0]?.path ?? itemPath?.slice(0, match?.index) ?? root;
  return {
    path: written,
    itemPath,
    idName: match?.[1],
    ofCollection,
    ofItem: itemTemplate === undefined ? [] : (byPath.get(itemTemplate) ?? []),
    below: below.flatMap((template) => byPath.get(template) ?? []),
    beside: beside.flatMap((template) => byPath.get(template) ?? []),
    isSingle: false,
  };
}

/** Templates that go on after others, in their order; none of them is a root. */
interface Within {
  /** After a template, with a slash or a colon. */
  after(template: string): readonly string[];
  /** After that of an item, where no nearer item is meant: `/pets/{}/photo`, `/pets/{}:feed`. */
  below(item: string): readonly string[];
}

/** Each template is looked at once, and where one may end that others go on after. */
function indexWithin(
  templates: readonly string[],
  roots: ReadonlySet<string>,
  itemTemplates: ReadonlyMap<string, string>,
): Within {
  const starts = new Set([...roots, ...itemTemplates.values()]);
  const lengths = new Set([...starts].map(({ length }) => length));
  const after = new Map<string, string[]>();
  /** Where the last root ends that an item follows. */
  const lastItem = new Map<string, number>();
  for (const template of templates)
    if (!roots.has(template))
      for (const { index } of template.matchAll(/[/:]/g)) {
        const start = lengths.has(index) ? template.slice(0, index) : '';
        if (!starts.has(start)) continue;
        const known = after.get(start);
        if (known === undefined) after.set(start, [template]);
        else known.push(template);
        if (roots.has(start) && template.startsWith('/{}', index)) lastItem.set(template, index);
      }
  return {
    after: (template) => after.get(template) ?? [],
    below: (item) =>
      (after.get(item) ?? []).filter((one) => (lastItem.get(one) ?? 0) <= item.length),
  };
}

/** Paths of one item each: GET tells what PUT or PATCH of the same path sets, as for `/settings`. */
function findSingles(
  byPath: ReadonlyMap<string, readonly Operation[]>,
  roots: ReadonlySet<string>,
): ReadonlyMap<string, readonly Operation[]> {
  return new Map(
    [...byPath].filter(
      ([template, there]) =>
        !roots.has(template) &&
        !template.endsWith('{}') &&
        hasMethod(there, 'GET') &&
        hasMethod(there, 'PUT', 'PATCH') &&
        !showsItem(there, byPath.get(template.slice(0, template.lastIndexOf('{}') + 2)) ?? []),
    ),
  );
}

function hasMethod(operations: readonly Operation[], ...wanted: readonly string[]): boolean {
  return operations.some(({ method }) => wanted.includes(method));
}

/** A response is that of the item which the path goes on from: `PUT /orders/{id}/status`. */
function showsItem(operations: readonly Operation[], ofItem: readonly Operation[]): boolean {
  const ofItems = pointersOf(ofItem);
  return pointersOf(operations).some((pointer) => ofItems.includes(pointer));
}

function pointersOf(operations: readonly Operation[]): readonly string[] {
  return operations.flatMap((operation) =>
    (successResponse(operation)?.content ?? []).flatMap(({ schema }) => schema?.pointer ?? []),
  );
}

function singleOf(ofItem: readonly Operation[]): CollectionPaths {
  return {
    path: ofItem[0]?.path ?? '',
    itemPath: undefined,
    idName: undefined,
    ofCollection: [],
    ofItem,
    below: [],
    beside: [],
    isSingle: true,
  };
}

function isBeside(template: string, root: string): boolean {
  return template.startsWith(root) && /^[/:][^/{}]+$/.test(template.slice(root.length));
}

/** `id` of `/pets/{id}` and `/pets/{id}/`; undefined where a path does not end in one parameter. */
export function parameterAtEnd(path: string): string | undefined {
  return /\/\{([^{}/]+)\}\/?$/.exec(path)?.[1];
}

export function isSlashed(path: string): boolean {
  return path.endsWith('/');
}

/**
 * Templates of paths, where `/pet` is one collection with `/pets`: only the plural is listed, and the
 * singular is where items are added.
 */
function joinSingulars(operations: readonly Operation[]): (path: string) => string {
  const byPath = Map.groupBy(operations, ({ path }) => templateOf(path));
  const plurals = new Map<string, string>();
  for (const [plural, there] of byPath) {
    const start = plural.lastIndexOf('/') + 1;
    if (plural.endsWith('{}') || !hasMethod(there, 'GET') || byPath.has(`${plural}/{}`)) continue;
    for (const name of singularNames(plural)) {
      const singular = plural.slice(0, start) + name;
      const own = byPath.get(singular) ?? [];
      const isPart = hasMethod(own, 'POST') && !hasMethod(own, 'GET');
      if (singular !== plural && isPart) plurals.set(singular, plural);
    }
  }
  if (plurals.size === 0) return templateOf;
  return (path) => {
    const template = templateOf(path);
    const ends = [...template.matchAll(/\/\{\}/g)].map(({ index }) => template.slice(0, index));
    const found = [template, ...ends].find((part) => plurals.has(part));
    return found === undefined ? template : `${plurals.get(found)}${template.slice(found.length)}`;
  };
}

/** A path without the names of its parameters and without an extension. */
function templateOf(path: string): string {
  const template = path.replaceAll(/\{[^{}]*\}/g, '{}');
  return template.length > 1 ? template.replace(extension, '').replace(/(?<=.)\/$/, '') : template;
}
