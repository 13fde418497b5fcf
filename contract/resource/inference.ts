import { jsonContent } from '../openapi/media-type.ts';
import type { CompileContext } from '../openapi/compile-context.ts';
import type { Operation } from '../openapi/operation.ts';
import { successResponse, successStatus } from '../openapi/response.ts';
import { memoize } from '../memo/memoize.ts';
import { judgeCertainty } from './certain.ts';
import { findSentPlace, findView, type KnownItem, membersOf } from './item-view.ts';
import { idNamesFor, lastWord, plainName, singularNames } from './names.ts';
import { checkOverrules, readOverrules, type ResourceOverrule } from './overrule.ts';
import { type CollectionPaths, groupPaths } from './paths.ts';
import type {
  InferredOperation,
  InferredResource,
  InferredRole,
  ItemView,
  SuccessView,
} from './resource.ts';
import { evidenceOfView, type RoleByPath, rolesByPath, settleRoles } from './role.ts';

/**
 * Infers collections of items from what paths, methods, schemas and names say, and checks what
 * extensions say of them. What is weighed is computed when first asked for, so that a large document
 * costs little.
 */
export function inferResources(
  context: CompileContext,
  operations: readonly Operation[],
): readonly InferredResource[] {
  const overrules = readOverrules(context.root);
  const groups = groupPaths(operations).flatMap((paths) => {
    const overrule = overrules.ofPath(paths.path);
    return overrule === false ? [] : [{ paths, roles: rolesByPath(paths, overrules), overrule }];
  });
  const resources = settleRoles(groups).flatMap(({ paths, roles, overrule }) =>
    roles.some(({ role }) => role === 'create' || role === 'get' || role === 'list')
      ? [infer(paths, roles, overrule)]
      : [],
  );
  checkOverrules(context, operations, (path) => {
    const resource = resources.find((one) => one.path === path);
    const list = resource?.operations.find(({ role }) => role === 'list')?.operation;
    return list && resource?.success(list).view?.item;
  });
  return resources;
}

const rolesOfItems: readonly InferredRole[] = ['get', 'list', 'create', 'replace', 'update'];

function infer(
  paths: CollectionPaths,
  roles: readonly RoleByPath[],
  overrule: ResourceOverrule,
): InferredResource {
  const { path, itemPath, idName, isSingle } = paths;
  const given = overrule.idProperty === undefined ? [] : [plainName(overrule.idProperty)];
  const idNames = isSingle ? [] : [...new Set([...given, ...idNamesFor(path, idName)])];
  const views = memoize(() => viewsOf(paths, roles, idNames));
  const sent = new Map<Operation, readonly string[]>();
  const certainty = memoize(() => judgeCertainty(paths, roles, overrule));
  const weighed = memoize(() => weighRoles(roles, resource));
  const closed = memoize(() => isClosed(resource));
  const resource: InferredResource = {
    path,
    itemPath,
    isSingle,
    idParameter: paths.ofItem
      .flatMap(({ parameters }) => parameters)
      .find((parameter) => parameter.in === 'path' && parameter.name === idName),
    parents: [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name),
    get operations() {
      return weighed();
    },
    showing: rolesOfItems.flatMap((wanted) =>
      roles.filter(({ role }) => role === wanted).map(({ operation }) => operation),
    ),
    success: (operation) => views().get(operation) ?? successWith(operation, undefined),
    sentPlace: (operation) => {
      const known = sent.get(operation) ?? findSentPlace(operation, resource);
      sent.set(operation, known);
      return known;
    },
    idNames,
    get isClosed() {
      return closed();
    },
    get certain() {
      return certainty().resource;
    },
    get doubts() {
      return certainty().doubts;
    },
  };
  return resource;
}

/** Roles with all evidence. A `list` whose body is described, and is not a list, is a view. */
function weighRoles(
  roles: readonly RoleByPath[],
  resource: InferredResource,
): readonly InferredOperation[] {
  const weighed: InferredOperation[] = [];
  for (const { operation, role, evidence } of roles) {
    const all = [...evidence, ...evidenceOfView(operation, role, resource)];
    const sum = all.reduce((total, { weight }) => total + weight, 0);
    const weight = Math.max(0, Math.round(sum * 100) / 100);
    if (weight === 0) continue;
    const { response, view } = resource.success(operation);
    const mayList = view?.isList === true || response?.content.length === 0;
    const isOther = role === 'list' && !mayList;
    weighed.push({ operation, role: isOther ? 'view' : role, evidence: all, weight });
  }
  return weighed;
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
      const content = jsonContent(successResponse(operation)?.content ?? []);
      const found = findView(content, role === 'list' ? 'list' : 'item', known);
      const view = isSingle && found?.isList === true ? undefined : found;
      views.set(operation, successWith(operation, view));
      if (wanted === undefined || view === undefined) continue;
      pointers.add(view.item.pointer);
      if (members.size === 0) for (const name of membersOf(view.item).keys()) members.add(name);
    }
  return withOneId(views, idNames);
}

function successWith(operation: Operation, view: ItemView | undefined): SuccessView {
  return { response: successResponse(operation), status: successStatus(operation), view };
}

/**
 * Where one view names items by an id, `name` and the like name nothing in another: there they are
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

/** A client can learn every id there is, and GET of another has a documented response. */
function isClosed({ operations, success }: InferredResource): boolean {
  const get = operations.find(({ role }) => role === 'get')?.operation;
  if (get === undefined || !get.responses.some(({ status }) => /^(?:404|4XX)$/i.test(status)))
    return false;
  return operations.some(
    ({ role, operation }) =>
      (role === 'list' || role === 'create') && success(operation).view?.idMember !== undefined,
  );
}
