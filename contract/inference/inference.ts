import type { Operation } from '../openapi/operation.ts';
import type { ResponseContract } from '../openapi/response.ts';
import { evidenceOfView } from './evidence.ts';
import type {
  InferredOperation,
  InferredResource,
  InferredRole,
  ItemView,
  SuccessView,
} from './inferred-resource.ts';
import { membersOf } from './member.ts';
import { idNamesFor, lastWord, plainName, singularNames } from './names.ts';
import type { Overrules } from './overrule.ts';
import { type CollectionPaths, groupPaths } from './paths.ts';
import { type RoleByPath, rolesByPath } from './role.ts';
import { settleRoles } from './settlement.ts';
import { findSentPlace } from './sent.ts';
import { successOf, successStatusOf } from './success.ts';
import { findView, jsonContent, type KnownItem } from './view.ts';
import { memoize } from '../memo/memoize.ts';

/**
 * Infers collections of items from what paths, methods, schemas and names say. Schemas are looked at
 * when first asked for, so that a large document costs little.
 */
export function inferResources(
  operations: readonly Operation[],
  overrules: Overrules,
): readonly InferredResource[] {
  const groups = groupPaths(operations)
    .filter(({ path }) => !overrules.isNone(path))
    .map((paths) => ({ paths, roles: rolesByPath(paths, overrules) }));
  return settleRoles(groups).flatMap(({ paths, roles }) => {
    return roles.some(({ role }) => role === 'create' || role === 'get')
      ? [infer(paths, roles, overrules.idProperty(paths.path))]
      : [];
  });
}

const rolesOfItems: readonly InferredRole[] = ['get', 'list', 'create', 'replace', 'update'];

function infer(
  paths: CollectionPaths,
  roles: readonly RoleByPath[],
  idProperty: string | undefined,
): InferredResource {
  const { path, itemPath, idName, isSingle } = paths;
  const given = idProperty === undefined ? [] : [plainName(idProperty)];
  const idNames = isSingle ? [] : [...new Set([...given, ...idNamesFor(path, idName)])];
  const success = memoize(() => viewsOf(paths, roles, idNames));
  const successView = (operation: Operation): SuccessView =>
    success().get(operation) ?? noView(operation);
  const sent = new Map<Operation, readonly string[]>();
  const resource: InferredResource = {
    path,
    itemPath,
    isSingle,
    idParameter: [...paths.ofItem]
      .flatMap(({ parameters }) => parameters)
      .find((parameter) => parameter.in === 'path' && parameter.name === idName),
    parents: [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name),
    get operations() {
      return weighed();
    },
    showing: rolesOfItems.flatMap((wanted) =>
      roles.filter(({ role }) => role === wanted).map(({ operation }) => operation),
    ),
    success: successView,
    sentPlace: (operation) => {
      const known = sent.get(operation) ?? findSentPlace(operation, resource);
      sent.set(operation, known);
      return known;
    },
    idNames,
    get isClosed() {
      return closed();
    },
  };
  const weighed = memoize(() => weighRoles(roles, resource));
  const closed = memoize(() => isClosed(weighed(), successView));
  return resource;
}

/** Roles with all evidence. A `list` whose body is described, and is no list, tells something else. */
function weighRoles(
  roles: readonly RoleByPath[],
  resource: InferredResource,
): readonly InferredOperation[] {
  return roles.flatMap(({ operation, role, evidence }) => {
    const all = [...evidence, ...evidenceOfView(operation, role, resource)];
    const weight = Math.max(
      0,
      Math.round(all.reduce((sum, one) => sum + one.weight, 0) * 100) / 100,
    );
    const { response, view } = resource.success(operation);
    const mayList = view?.isList === true || response?.content.length === 0;
    const isOther = role === 'list' && !mayList;
    return weight === 0
      ? []
      : [{ operation, role: isOther ? ('view' as const) : role, evidence: all, weight }];
  });
}

/** Views in the order in which one helps to find the next: first that of GET of an item. */
function viewsOf(
  { path, isSingle }: CollectionPaths,
  roles: readonly RoleByPath[],
  idNames: readonly string[],
): ReadonlyMap<Operation, SuccessView> {
  const pointers = new Set<string>();
  const members = new Set<string>();
  const known: KnownItem = {
    singulars: singularNames(path),
    plural: plainName(lastWord(path)),
    idNames,
    pointers,
    members,
  };
  const views = new Map<Operation, SuccessView>();
  for (const wanted of [...rolesOfItems, undefined])
    for (const { operation, role } of roles) {
      if (views.has(operation) || (wanted !== undefined && role !== wanted)) continue;
      const response = successOf(operation);
      const content = jsonContent(response?.content ?? []);
      const found = findView(content, role === 'list' ? 'list' : 'item', known);
      const view = isSingle && found?.isList === true ? undefined : found;
      views.set(operation, { response, status: successStatusOf(response), view });
      if (wanted !== undefined && view !== undefined) note(view, pointers, members);
    }
  return withOneId(views, idNames);
}

/**
 * Where one view names items by an id, `name` and its like name nothing in another: there they are
 * members as others.
 */
function withOneId(
  views: ReadonlyMap<Operation, SuccessView>,
  [likeliest = '', ...idNames]: readonly string[],
): ReadonlyMap<Operation, SuccessView> {
  const isId = ({ view }: SuccessView): boolean => {
    const name = plainName(view?.idMember ?? '');
    return name === likeliest || (idNames.includes(name) && name.endsWith('id'));
  };
  if (![...views.values()].some(isId)) return views;
  return new Map(
    [...views].map(([operation, success]) => [
      operation,
      success.view === undefined || isId(success)
        ? success
        : { ...success, view: { ...success.view, idMember: undefined } },
    ]),
  );
}

function note({ item }: ItemView, pointers: Set<string>, members: Set<string>): void {
  pointers.add(item.pointer);
  if (members.size === 0) for (const name of membersOf(item).keys()) members.add(name);
}

function noView(operation: Operation): SuccessView {
  const response: ResponseContract | undefined = successOf(operation);
  return { response, status: successStatusOf(response), view: undefined };
}

/** A client can learn every id there is, and GET of another has a documented response. */
function isClosed(
  operations: readonly InferredOperation[],
  success: (operation: Operation) => SuccessView,
): boolean {
  const get = operations.find(({ role }) => role === 'get')?.operation;
  if (get === undefined || !get.responses.some(({ status }) => /^(?:404|4XX)$/i.test(status)))
    return false;
  return operations.some(
    ({ role, operation }) =>
      (role === 'list' || role === 'create') && success(operation).view?.idMember !== undefined,
  );
}
