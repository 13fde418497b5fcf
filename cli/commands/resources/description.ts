import {
  type Contract,
  type Evidence,
  type InferredResource,
  type InferredRole,
  type Operation,
  findPageParameters,
  membersOf,
} from '../../../contract/index.ts';

/** What was inferred of a document, as plain data. */
export interface ResourcesDescription {
  readonly resources: readonly ResourceDescription[];
  readonly notInferred: readonly { readonly operation: string; readonly reason: string }[];
}

export interface ResourceDescription {
  readonly path: string;
  readonly itemPath: string | undefined;
  /** There is one item, at the path itself. */
  readonly single: boolean;
  /** The suite holds servers to it: list, item path and schemas leave no doubt. */
  readonly certain: boolean;
  /** Ids that nobody gave are not found; else items of any id are made up. */
  readonly closed: boolean;
  readonly idParameter: string | undefined;
  readonly parents: readonly string[];
  readonly paging: readonly string[];
  readonly operations: readonly OperationDescription[];
}

export interface OperationDescription {
  readonly operation: string;
  readonly role: InferredRole;
  readonly weight: number;
  readonly status: number;
  /** Where the item, or the array of items, stands in the response; undefined where it shows none. */
  readonly place: string | undefined;
  readonly idMember: string | undefined;
  readonly evidence: readonly Evidence[];
}

/** Describes what was inferred, and what was not and why. */
export function describeResources(contract: Contract): ResourcesDescription {
  const { inferredResources, operations, resources } = contract;
  const certain = new Set(resources.map(({ collectionPath }) => collectionPath));
  const known = new Set(
    inferredResources.flatMap((resource) => resource.operations.map(({ operation }) => operation)),
  );
  return {
    resources: inferredResources.map((resource) => describe(resource, certain.has(resource.path))),
    notInferred: operations
      .filter((operation) => !known.has(operation))
      .map((operation) => ({ operation: nameOf(operation), reason: reasonFor(operation) })),
  };
}

function describe(resource: InferredResource, certain: boolean): ResourceDescription {
  const { path, itemPath, isSingle, idParameter, parents, isClosed } = resource;
  return {
    path,
    itemPath,
    single: isSingle,
    certain,
    closed: isClosed,
    idParameter: idParameter?.name,
    parents,
    paging: pagingOf(resource),
    operations: resource.operations.map(({ operation, role, weight, evidence }) => {
      const { status, view } = resource.success(operation);
      return {
        operation: nameOf(operation),
        role,
        weight,
        status,
        place: view && placeText(view.place, view.isList),
        idMember: view?.idMember,
        evidence,
      };
    }),
  };
}

function pagingOf({ operations, success }: InferredResource): readonly string[] {
  const list = operations.find(({ role }) => role === 'list')?.operation;
  if (list === undefined) return [];
  const { view } = success(list);
  const members = view === undefined ? undefined : membersOf(view.item);
  const { size, offset, page, cursor } = findPageParameters(
    list,
    (name) => members?.has(name) === true,
  );
  return [size, offset, page, cursor].flatMap((parameter) => parameter?.name ?? []);
}

function placeText(place: readonly string[], isList: boolean): string {
  return `${place.length === 0 ? 'body' : place.join('.')}${isList ? '[]' : ''}`;
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function reasonFor({ method, path }: Operation): string {
  if (method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE')
    return `${method} has no part in a collection`;
  return /\{[^{}]*\}/.test(path)
    ? 'no path of an item leads here'
    : 'there is no path of an item below it, and no GET and POST of one path';
}
