import { type CompileContext, readExtension } from '../openapi/compile-context.ts';
import type { Operation } from '../openapi/operation.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  type CollectionPaths,
  groupPaths,
  type InferredRole,
  inferredRoles,
  type Place,
  type PlacedRole,
  places,
} from './paths.ts';
import { oneOf } from '../json/codec.ts';
import { nodeAt } from '../source/node.ts';
import { InferredResource, resourceOverrule, type ResourceOverrule } from './resource.ts';

/**
 * Infers collections of items from paths, methods, schemas and names, and checks the extensions about
 * them.
 */
export function inferResources(
  context: CompileContext,
  operations: readonly Operation[],
): readonly InferredResource[] {
  const given = readRoles(context, operations);
  const overrules = readOverrules(context);
  const found: InferredResource[] = [];
  for (const paths of groupPaths(operations)) {
    const { path, placed } = paths;
    // Items may have a path outside of that of their list.
    const at = [path, placed.collection[0]?.path ?? ''].find((one) => overrules.has(one)) ?? path;
    const overrule = overrules.get(at) || undefined;
    const roles = findRoles(paths, given).filter(
      ({ place, operation }) => place !== 'collection' || overrules.get(operation.path) !== false,
    );
    const isFilled = roles.some(({ role }) => ['create', 'get', 'list'].includes(role));
    if (overrules.get(path) === false || !isFilled) continue;
    const resource = new InferredResource(paths, roles, overrule ?? {});
    found.push(resource);
    if (overrule !== undefined) checkNames(context, at, resource, overrule);
  }
  return found;
}

/** By place and method. POST of an item is an action if PUT or PATCH writes it. */
const roles: Readonly<Record<Place, Readonly<Partial<Record<string, InferredRole>>>>> = {
  collection: { GET: 'list', POST: 'create', PUT: 'bulk', PATCH: 'bulk', DELETE: 'bulk' },
  item: { GET: 'get', POST: 'update', PUT: 'replace', PATCH: 'update', DELETE: 'remove' },
  below: { GET: 'view', POST: 'action', PUT: 'action', PATCH: 'action', DELETE: 'action' },
  beside: { POST: 'bulk' },
};

/** The roles by method and path; `given`: roles that the document sets instead. */
function findRoles(
  { placed }: CollectionPaths,
  given: ReturnType<typeof readRoles>,
): readonly PlacedRole[] {
  const hasWrite = placed.item.some(({ method }) => method === 'PATCH' || method === 'PUT');
  const found: PlacedRole[] = [];
  for (const place of places)
    for (const operation of placed[place]) {
      const isAction = place === 'item' && operation.method === 'POST' && hasWrite;
      const guess = isAction ? 'action' : roles[place][operation.method];
      const role = given.get(operation) ?? guess;
      if (guess !== undefined && role !== undefined && role !== 'none')
        found.push({ operation, place, role, isGiven: role !== guess });
    }
  return found;
}

const roleCodec = oneOf([...inferredRoles, 'none']);

/** `x-resource-role` of operations. `none`: it has no role. */
function readRoles(context: CompileContext, operations: readonly Operation[]) {
  return new Map(
    operations.map((operation) => {
      const node = nodeAt(context.root, operation.pointer)?.get('x-resource-role');
      return [operation, node && readExtension(context, node, roleCodec)] as const;
    }),
  );
}

/** The `x-resource` of paths; false: the path is not that of a collection. */
function readOverrules(context: CompileContext): ReadonlyMap<string, ResourceOverrule | false> {
  const found = new Map<string, ResourceOverrule | false>();
  for (const [path, item] of context.root.get('paths')?.entries() ?? []) {
    const node = item.get('x-resource');
    if (node === undefined) continue;
    const overrule = node.value !== false && readExtension(context, node, resourceOverrule);
    if (overrule !== undefined) found.set(path, overrule);
  }
  return found;
}

/** Reports properties of items and parameters of the list that `x-resource` names and that do not exist. */
function checkNames(
  { root, issues }: CompileContext,
  path: string,
  { showing, viewOf }: InferredResource,
  overrule: ResourceOverrule,
): void {
  const list = showing.find((one) => one.path === path && one.method === 'GET');
  const properties = list && viewOf(list)?.item.shape().properties;
  const isParameter = (name: string): boolean =>
    list?.parameters.some((one) => one.in === 'query' && one.name === name) !== false;
  const isProperty = (name: string): boolean => properties?.has(name) !== false;
  const at = root.get('paths')?.get(path)?.at('x-resource') ?? '';
  const { idProperty, limit, filters = {} } = overrule;
  const check = (isKnown: boolean, what: string, ...tokens: readonly string[]): void => {
    if (!isKnown) issues.misuse(appendPointer(at, ...tokens), `there is no ${what}`);
  };
  if (idProperty !== undefined)
    check(isProperty(idProperty), `property ${idProperty}`, 'idProperty');
  if (typeof limit === 'string') check(isParameter(limit), `query parameter ${limit}`, 'limit');
  for (const [name, property] of Object.entries(filters)) {
    check(isParameter(name), `query parameter ${name}`, 'filters', name);
    check(isProperty(property), `property ${property}`, 'filters', name);
  }
}
