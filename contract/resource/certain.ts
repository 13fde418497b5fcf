import type { MemberPlace } from '../json/place.ts';
import { jsonEquals } from '../json/value.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { successContent, successResponse } from '../openapi/response.ts';
import type { SchemaNode, Shape } from '../schema/schema-node.ts';
import { findIdPlace, findSentPlace, schemaAt } from './item-view.ts';
import {
  memberNamed,
  namesInParameter,
  parameterAtEnd,
  plainName,
  singularNames,
  sureIdNames,
} from './names.ts';
import type { ResourceOverrule } from './overrule.ts';
import { findPageLimit } from './page-parameters.ts';
import type { CollectionPaths } from './paths.ts';
import { deepestPlace, itemPlace, type Resource } from './resource.ts';
import type { RoleByPath } from './role.ts';

/** What the suite may test of a collection, and why not more. */
export interface Certainty {
  readonly resource: Resource | undefined;
  readonly doubts: readonly string[];
}

/**
 * The part of a collection that leaves no doubt: GET returns an array of S, or an object that has one
 * array of the S of another operation; POST returns 201 or 200 with S, GET of an item returns S, and a member
 * of S names it.
 */
export function judgeCertainty(
  { isSingle, itemPath: wanted, placed }: CollectionPaths,
  roles: readonly RoleByPath[],
  overrule: ResourceOverrule,
): Certainty {
  const list = roles.find(({ role }) => role === 'list')?.operation;
  if (isSingle) return doubt('it is a single item');
  if (list === undefined) return doubt('no operation lists its items');
  const operations = roles.map(({ operation }) => operation);
  const [listed, ...rivals] = arraysIn(successContent(list)?.schema).filter(
    ({ item: one, place }) =>
      place.length === 0 || operations.some((each) => itemPlace(each, one) !== undefined),
  );
  if (listed === undefined || rivals.length > 0)
    return doubt(
      `the body of ${list.id} is not an array of objects and does not have one array of what other operations return`,
    );
  const { item } = listed;
  const known = new Set(roles.map(({ operation }) => operation));
  const all = placed.item.filter((operation) => known.has(operation));
  const ofItem = findItemOperations(all, list, item);
  const itemPath = ofItem[0]?.path;
  const idParameter = ofItem[0]?.parameters.find(
    (parameter) => parameter.in === 'path' && parameter.name === parameterAtEnd(itemPath),
  );
  const idPlace: MemberPlace | undefined =
    overrule.idProperty === undefined
      ? findIdentity(item, list.path, idParameter)
      : [overrule.idProperty];
  const { properties } = item.shape();
  if (idPlace === undefined || !properties.has(idPlace[0]))
    return doubt('no member of its items surely names one');
  const create = roles.find(
    ({ role, operation }) => role === 'create' && operation.path === list.path,
  )?.operation;
  const isCreated =
    create !== undefined &&
    sendsItem(create, list) &&
    /^20[01]$/.test(successResponse(create)?.status ?? '') &&
    itemPlace(create, item) !== undefined;
  const at = (method: string): Operation | undefined =>
    ofItem.find((operation) => operation.method === method && sendsItem(operation, list));
  const places = new Map([[list.id, listed.place]]);
  for (const operation of [create, ...ofItem]) {
    const place = operation && itemPlace(operation, item);
    if (operation !== undefined && place !== undefined) places.set(operation.id, place);
  }
  const resource = {
    collectionPath: list.path,
    parents: [...list.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name),
    itemPath: idParameter === undefined ? undefined : itemPath,
    item,
    idPlace,
    idParameter,
    list,
    places,
    create: isCreated ? create : undefined,
    get: at('GET'),
    replace: at('PUT'),
    update: at('PATCH'),
    remove: at('DELETE'),
    filters: findFilters(list, properties, overrule.filters),
    limit: findPageLimit(list, (name) => properties.has(name), overrule.limit),
  };
  const asked = list.parameters.find(
    (parameter) =>
      parameter.in === 'query' && parameter.required && parameter !== resource.limit?.parameter,
  );
  if (asked !== undefined && (!isCreated || listed.place.length > 0))
    return doubt(`${list.id} shows only what ${asked.name} asks for`);
  const doubts: string[] = [];
  if (create !== undefined && !isCreated)
    doubts.push(`${create.id} does not return 201 or 200 with an item as ${list.id} lists it`);
  if (placed.item.length > 0 && ofItem.length === 0)
    doubts.push(`no operation of ${wanted} returns an item as ${list.id} lists it`);
  return { resource, doubts };
}

/** The arrays of objects in a body, with the members that lead to them. */
function arraysIn(
  schema: SchemaNode | undefined,
  place: readonly string[] = [],
): readonly { readonly item: SchemaNode; readonly place: readonly string[] }[] {
  const { types = [], items, properties } = schema?.shape() ?? {};
  const [type = '', ...others] = types.filter((one) => one !== 'null');
  if (others.length > 0 || (place.length === 0 && types.length > 1)) return [];
  if (type === 'array')
    return items !== undefined && items.shape().properties.size > 0 ? [{ item: items, place }] : [];
  if (type !== 'object' || place.length === deepestPlace) return [];
  return [...(properties ?? [])].flatMap(([name, member]) => arraysIn(member, [...place, name]));
}

/** Whether a request has the item itself for its body, if it has one. */
function sendsItem(operation: Operation, { path }: Operation): boolean {
  return findSentPlace(operation, path, undefined).length === 0;
}

export function doubt(text: string): Certainty {
  return { resource: undefined, doubts: [text] };
}

/**
 * The operations of one path of items: one with a GET that returns an item, else one with no GET; of
 * paths that end in a slash as that of the collection does, or does not, if there are any.
 */
function findItemOperations(
  all: readonly Operation[],
  list: Operation,
  item: SchemaNode,
): readonly Operation[] {
  const start = `${list.path.replace(/\/$/, '')}/`;
  const isSlashed = list.path.endsWith('/');
  const below = all.filter(({ path }) => path.startsWith(start));
  const alike = below.filter(({ path }) => path.endsWith('/') === isSlashed);
  const byPath = Map.groupBy(alike.length > 0 ? alike : below, ({ path }) => path).values();
  const readings = [...byPath].map((operations) => ({
    operations,
    get: operations.find(({ method }) => method === 'GET'),
  }));
  const readable = readings.find(
    ({ get }) => get !== undefined && itemPlace(get, item) !== undefined,
  );
  return (readable ?? readings.find(({ get }) => get === undefined))?.operations ?? [];
}

/** What names an item: by its name, and of the type of the parameter; a `petId` may be a text of digits. */
function findIdentity(
  item: SchemaNode,
  path: string,
  parameter: Parameter | undefined,
): MemberPlace | undefined {
  const types = new Set(parameter?.schema.shape().types);
  if (types.has('string') && /id$/i.test(parameter?.name ?? '')) types.add('integer');
  const fits = (property: SchemaNode | undefined): boolean =>
    property?.shape().types.some((type) => parameter === undefined || types.has(type)) === true;
  const { properties } = item.shape();
  if (parameter !== undefined && fits(properties.get(parameter.name))) return [parameter.name];
  const fitting = [...properties].filter(([, property]) => fits(property)).map(([name]) => name);
  const named = memberNamed(fitting, sureIdNames(path, parameter?.name));
  const inPath =
    parameter === undefined ? [] : namesInParameter(parameter.name, singularNames(path));
  const all = named === undefined ? [] : [plainName(named)];
  // `id` beside `metadata.name` is not what the path is about.
  const [first, ...rest] = findIdPlace(item, { all, inPath }) ?? [];
  if (first === undefined || rest.length === 0) return named === undefined ? undefined : [named];
  return fits(schemaAt(item, [first, ...rest])) ? [first, ...rest] : undefined;
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
  return list.parameters.flatMap((parameter) => {
    const { name, schema } = parameter;
    const property = named === undefined ? name : (named.get(name) ?? '');
    const node = parameter.in === 'query' ? properties.get(property) : undefined;
    const isFilter = node !== undefined && (named !== undefined || isSameSchema(node, schema));
    return isFilter ? [{ parameter, property }] : [];
  });
}

function isSameSchema(property: SchemaNode, parameter: SchemaNode): boolean {
  if (property.pointer === parameter.pointer) return true;
  const [left, right] = [property.shape(), parameter.shape()];
  const [type = 'object', ...others] = left.types.filter((one) => one !== 'null');
  return (
    type !== 'array' &&
    type !== 'object' &&
    others.length === 0 &&
    right.types.join() === type &&
    jsonEquals(valuesOf(left), valuesOf(right))
  );
}

function valuesOf({ values = [] }: Shape): Shape['values'] & object {
  return values.filter((value) => value !== null);
}
