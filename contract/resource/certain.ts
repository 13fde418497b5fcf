import { jsonEquals } from '../json/value.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { successResponse } from '../openapi/response.ts';
import type { SchemaNode, Shape } from '../schema/schema-node.ts';
import { listedItem, successSchema } from './item-view.ts';
import { memberNamed, sureIdNames } from './names.ts';
import type { ResourceOverrule } from './overrule.ts';
import { findPageLimit } from './page-parameters.ts';
import { type CollectionPaths, isSlashed, parameterAtEnd } from './paths.ts';
import type { Resource } from './resource.ts';
import type { RoleByPath } from './role.ts';

/** What the suite may test of a collection, and why not more. */
export interface Certainty {
  readonly resource: Resource | undefined;
  readonly doubts: readonly string[];
}

/**
 * The part of a collection that leaves no doubt: GET returns an array of S, POST returns 201 with S,
 * GET of an item returns S, and a member of S names it.
 */
export function judgeCertainty(
  paths: CollectionPaths,
  roles: readonly RoleByPath[],
  overrule: ResourceOverrule,
): Certainty {
  const list = roles.find(({ role }) => role === 'list')?.operation;
  if (paths.isSingle) return doubt('it is a single item');
  if (list === undefined) return doubt('no operation lists its items');
  if (list.path.includes('{')) return doubt('it is within another collection');
  const item = listedItem(list);
  if (item === undefined) return doubt(`the body of ${list.id} is not an array of objects`);
  const ofItem = findItemOperations(paths, roles, list, item);
  const itemPath = ofItem[0]?.path;
  const idName = itemPath === undefined ? undefined : parameterAtEnd(itemPath);
  const idParameter = ofItem[0]?.parameters.find(
    (parameter) => parameter.in === 'path' && parameter.name === idName,
  );
  const idProperty = overrule.idProperty ?? findIdentity(item, list.path, idParameter);
  const { properties } = item.shape();
  if (idProperty === undefined || !properties.has(idProperty))
    return doubt('no member of its items surely names one');
  const create = roles.find(
    ({ role, operation }) => role === 'create' && operation.path === list.path,
  );
  const isCreated =
    create !== undefined &&
    successResponse(create.operation)?.status === '201' &&
    showsItem(create.operation, item);
  const at = (method: string): Operation | undefined =>
    ofItem.find((operation) => operation.method === method);
  return {
    resource: {
      collectionPath: list.path,
      itemPath: idParameter === undefined ? undefined : itemPath,
      item,
      idProperty,
      idParameter,
      list,
      create: isCreated ? create.operation : undefined,
      get: at('GET'),
      replace: at('PUT'),
      update: at('PATCH'),
      remove: at('DELETE'),
      filters: findFilters(list, properties, overrule.filters),
      limit: findPageLimit(list, (name) => properties.has(name), overrule.limit),
    },
    doubts: [
      ...(create !== undefined && !isCreated
        ? [`${create.operation.id} does not return 201 with an item as ${list.id} lists it`]
        : []),
      ...(paths.ofItem.length > 0 && ofItem.length === 0
        ? [`no operation of ${paths.itemPath} returns an item as ${list.id} lists it`]
        : []),
    ],
  };
}

function doubt(text: string): Certainty {
  return { resource: undefined, doubts: [text] };
}

function showsItem(operation: Operation, item: SchemaNode): boolean {
  return successSchema(operation)?.pointer === item.pointer;
}

/**
 * The operations of one path of items: one with a GET that returns an item, else one with no GET; of
 * paths that end in a slash as that of the collection does, or does not, if there are any.
 */
function findItemOperations(
  { ofItem }: CollectionPaths,
  roles: readonly RoleByPath[],
  list: Operation,
  item: SchemaNode,
): readonly Operation[] {
  const known = new Set(roles.map(({ operation }) => operation));
  const all = ofItem.filter(
    (operation) => known.has(operation) && parameterAtEnd(operation.path) !== undefined,
  );
  const alike = all.filter(({ path }) => isSlashed(path) === isSlashed(list.path));
  const byPath = [...Map.groupBy(alike.length > 0 ? alike : all, ({ path }) => path).values()];
  const readable = byPath.find((operations) => {
    const get = getOf(operations);
    return get !== undefined && showsItem(get, item);
  });
  return readable ?? byPath.find((operations) => getOf(operations) === undefined) ?? [];
}

function getOf(operations: readonly Operation[]): Operation | undefined {
  return operations.find(({ method }) => method === 'GET');
}

/** The property that names an item: by its name, and of the type of the parameter. */
function findIdentity(
  item: SchemaNode,
  path: string,
  parameter: Parameter | undefined,
): string | undefined {
  const types = parameter?.schema.shape().types;
  const fitting = [...item.shape().properties]
    .filter(([, property]) => types === undefined || sharesType(property, types))
    .map(([name]) => name);
  if (parameter !== undefined && fitting.includes(parameter.name)) return parameter.name;
  return memberNamed(fitting, sureIdNames(path, parameter?.name));
}

function sharesType(property: SchemaNode, types: Shape['types']): boolean {
  return property.shape().types.some((type) => types.includes(type));
}

/**
 * The query parameters of a list that keep items by equality: those with the name and schema of a
 * property. `named` overrules: parameter to property.
 */
function findFilters(
  list: Operation,
  properties: Shape['properties'],
  named: ReadonlyMap<string, string> | undefined,
): Resource['filters'] {
  const filters: { parameter: Parameter; property: string }[] = [];
  for (const parameter of list.parameters) {
    const { name, schema } = parameter;
    const alike = properties.get(name);
    const isFilter = alike !== undefined && isSameSchema(alike, schema);
    const property = named === undefined ? (isFilter ? name : undefined) : named.get(name);
    if (parameter.in === 'query' && property !== undefined && properties.has(property))
      filters.push({ parameter, property });
  }
  return filters;
}

function isSameSchema(property: SchemaNode, parameter: SchemaNode): boolean {
  if (property.pointer === parameter.pointer) return true;
  const [left, right] = [property.shape(), parameter.shape()];
  const [type, ...others] = left.types.filter((one) => one !== 'null');
  const isScalar =
    type !== undefined && others.length === 0 && type !== 'array' && type !== 'object';
  return (
    isScalar &&
    right.types.length === 1 &&
    type === right.types[0] &&
    jsonEquals(valuesOf(left), valuesOf(right))
  );
}

function valuesOf(shape: Shape): Shape['values'] & object {
  return (shape.values ?? []).filter((value) => value !== null);
}
