import * as codec from '../json/codec.ts';
import { type MemberPlace } from '../json/place.ts';
import { jsonContent } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { successResponse } from '../openapi/response.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import {
  findIdPlace,
  findSentPlace,
  findViews,
  isOfType,
  type ItemView,
  schemaAt,
} from './item-view.ts';
import { type Filter, findFilters, findPageLimit, type PageLimit } from './list-parameters.ts';
import { type IdNames, idNamesFor, parameterAtEnd, plainName } from './names.ts';
import type { CollectionPaths } from './paths.ts';
import { evidenceOfView, type InferredRole, type RoleByPath } from './role.ts';

export type { InferredRole, ItemView, PageLimit };

/** An item, or the items of a list, in a response. */
export interface ShownItem {
  /** Members from the body down to the item, or to the array of items: `[]`, `['data']`. */
  readonly place: readonly string[];
  /** All of an item, or a part of it. */
  readonly schema: SchemaNode;
}

/** A collection that leaves no doubt: what operations list, create, get, change and remove. */
export interface Resource {
  /** The collection's path: `/pets`. */
  readonly collectionPath: string;
  /** Path parameters in it, outermost first: there is one collection for each of their values. */
  readonly parents: readonly string[];
  /** `/pets/{petId}`; undefined where the document has no item path. */
  readonly itemPath: string | undefined;
  /** An item as GET of an item holds it; without that as POST does, or else the list. */
  readonly item: SchemaNode;
  /** Members from the item down to what names it: `['id']`, `['metadata', 'name']`. */
  readonly idPlace: MemberPlace;
  /** The path parameter that stands for it: `petId`. */
  readonly idParameter: Parameter | undefined;
  readonly list: Operation;
  /** What the success response of each operation shows of an item, by operation id. Without those that show none. */
  readonly shown: ReadonlyMap<string, ShownItem>;
  /**
   * By operation id, members from the body of a request down to the item that it sends, as in
   * `{"book": {...}}`. Without those whose body is the item.
   */
  readonly sentPlaces: ReadonlyMap<string, MemberPlace>;
  readonly create: Operation | undefined;
  readonly get: Operation | undefined;
  readonly replace: Operation | undefined;
  readonly update: Operation | undefined;
  readonly remove: Operation | undefined;
  readonly filters: readonly Filter[];
  readonly limit: PageLimit | undefined;
}

const textOrFalse: codec.Codec<string | false> = {
  read(value, at) {
    if (value === false || typeof value === 'string') return value;
    throw codec.shapeError(at, 'has to be a text or false');
  },
  render: (value) => value,
};

/** What `x-resource` on the path of a collection says. */
export const resourceOverrule = codec.object({
  idProperty: codec.optional(codec.text),
  /** Name of the query parameter that bounds a page; false: none does. */
  limit: codec.optional(textOrFalse),
  /** Query parameter to property. */
  filters: codec.optional(codec.map(codec.text)),
});

export type ResourceOverrule = codec.TypeOf<typeof resourceOverrule>;

/** What the suite may test of a collection, and why not more. */
interface Certainty {
  readonly resource?: Resource;
  readonly doubts: readonly string[];
}

/** An operation with its role, and what speaks for it. */
interface InferredOperation extends RoleByPath {
  /** Sum of the weights of the evidence. */
  readonly weight: number;
}

const noNames: IdNames = { inPath: [], sure: [], all: [] };

const rolesOfItems: readonly InferredRole[] = ['get', 'list', 'create', 'replace', 'update'];

/**
 * A collection of items as a document seems to have it. The mock serves all, certain or not. What
 * takes schemas waits until it is asked for, so that a large document costs little.
 */
export class InferredResource {
  /** Path of the collection: `/stores/{storeId}/pets`. */
  readonly path: string;
  /** Path of an item; undefined where the document has none. */
  readonly itemPath: string | undefined;
  /** There is one item, and `path` is its own: `/settings`. */
  readonly isSingle: boolean;
  /** The path parameter that names an item. */
  readonly idParameter: Parameter | undefined;
  /** Names of the path parameters of the collections that it is within, outermost first. */
  readonly parents: readonly string[];
  /** Operations whose responses may show items, GET of an item first. */
  readonly showing: readonly Operation[];
  /** Members that may name an item, likeliest first, without case and punctuation. */
  readonly idNames: readonly string[];
  readonly #roles: readonly RoleByPath[];
  readonly #overrule: ResourceOverrule;
  readonly #idNames: IdNames;
  #views: ReadonlyMap<Operation, ItemView> | undefined;
  #operations: readonly InferredOperation[] | undefined;
  #certainty: Certainty | undefined;

  constructor(
    { path, itemPath, isSingle, placed }: CollectionPaths,
    roles: readonly RoleByPath[],
    overrule: ResourceOverrule,
  ) {
    const idName = parameterAtEnd(itemPath);
    this.path = path;
    this.itemPath = itemPath;
    this.isSingle = isSingle;
    this.idParameter = findParameter(placed.item, idName);
    this.parents = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    this.showing = rolesOfItems.flatMap((wanted) =>
      roles.filter(({ role }) => role === wanted).map(({ operation }) => operation),
    );
    this.#idNames = isSingle ? noNames : idNamesFor(path, idName, overrule.idProperty);
    this.idNames = this.#idNames.all;
    this.#roles = roles;
    this.#overrule = overrule;
  }

  /** What the success response of one of its operations shows; undefined for no item. */
  readonly viewOf = (operation: Operation): ItemView | undefined =>
    (this.#views ??= findViews(
      this,
      new Map(this.#roles.map((each) => [each.operation, each.role])),
      this.#idNames,
    )).get(operation);

  /** Members from the body of a request to the item in it; `[]`: the item is the body. */
  sentPlace(operation: Operation): readonly string[] {
    return findSentPlace(operation, this.path, this.viewOf(operation));
  }

  /** Roles with all evidence. A `list` whose body is described, and is not a list, is a view. */
  get operations(): readonly InferredOperation[] {
    return (this.#operations ??= this.#roles.map((each) => {
      const { operation, role, evidence } = each;
      const { itemPath, showing, viewOf } = this;
      const all = [...evidence, ...evidenceOfView(operation, role, itemPath, showing, viewOf)];
      const sum = all.reduce((total, { weight }) => total + weight, 0);
      const mayList =
        viewOf(operation)?.isList === true || successResponse(operation)?.content.length === 0;
      return {
        ...each,
        role: role === 'list' && !mayList ? ('view' as const) : role,
        evidence: all,
        weight: Math.round(sum * 100) / 100,
      };
    }));
  }

  /** Ids can be learned from responses, and GET of an unknown one has a documented response. */
  get isClosed(): boolean {
    const get = this.operations.find(({ role }) => role === 'get')?.operation;
    return (
      get?.responses.some(({ status }) => /^(?:404|4XX)$/i.test(status)) === true &&
      this.operations.some(
        ({ role, operation }) =>
          (role === 'list' || role === 'create') && this.viewOf(operation)?.idPlace !== undefined,
      )
    );
  }

  /** What the suite tests servers against; undefined where that would be a guess. */
  get certain(): Resource | undefined {
    return (this.#certainty ??= this.#judge()).resource;
  }

  /** Why it is not certain, or which operations are left out of what is: a sentence each. */
  get doubts(): readonly string[] {
    return (this.#certainty ??= this.#judge()).doubts;
  }

  /** An item as GET of an item shows it, or else POST, or the list, which may have summaries of it. */
  #findItem(listed: ItemView): SchemaNode {
    const single = this.#roles
      .filter(({ role }) => role === 'get' || role === 'create')
      .toSorted((one, other) => other.role.localeCompare(one.role))
      .map(({ operation }) => this.viewOf(operation));
    const found = single.find((view) => view?.isSure === true && isPart(listed, view));
    return (found ?? listed).item;
  }

  /**
   * The part that leaves no doubt: GET of an item returns S, or POST does, or GET returns an array of S, and
   * a member of S names it. The others return S or a part of it: GET an array, or an object that has one
   * such array; POST 201, or 200 with the same as another one.
   */
  #judge(): Certainty {
    const list = this.#roles.find(({ role }) => role === 'list')?.operation;
    if (this.isSingle) return { doubts: ['it is a single item'] };
    if (list === undefined) return { doubts: ['no operation lists its items'] };
    const listed = this.viewOf(list);
    const item = listed && this.#findItem(listed);
    const shownBy = (operation: Operation): ShownItem | undefined => {
      const view = this.viewOf(operation);
      if (!listed || !item || view?.isSure !== true || view.isList !== (operation === list))
        return undefined;
      const isWhole = [item, listed.item].some(({ pointer }) => pointer === view.item.pointer);
      const isAdded = operation.method !== 'POST' || successResponse(operation)?.status === '201';
      const isShown = isWhole || (isAdded && isPart(view, { ...listed, item }));
      return isShown ? { place: view.place, schema: view.item } : undefined;
    };
    if (
      listed?.isSure !== true ||
      item === undefined ||
      (listed.place.length > 0 &&
        this.#roles.every(
          ({ operation }) => operation === list || shownBy(operation) === undefined,
        ))
    )
      return {
        doubts: [
          `the body of ${list.id} is not an array of objects and does not have one array of what other operations return`,
        ],
      };
    const start = `${list.path.replace(/\/$|\.\w+$/, '')}/`;
    const ofItem = findItemOperations(
      this.#roles
        .filter(({ place, operation }) => place === 'item' && operation.path.startsWith(start))
        .map(({ operation }) => operation),
      (operation) => shownBy(operation) !== undefined,
    );
    const itemPath = ofItem[0]?.path;
    const idParameter = findParameter(ofItem, parameterAtEnd(itemPath));
    const { properties } = item.shape();
    const { inPath, sure } = idNamesFor(list.path, idParameter?.name, this.#overrule.idProperty);
    const idPlace = findIdPlace(item, { inPath, all: sure });
    const isTyped =
      this.#overrule.idProperty !== undefined ||
      isOfType(idPlace && schemaAt(item, idPlace), idParameter);
    if (idPlace === undefined || !isTyped || !properties.has(idPlace[0]))
      return { doubts: ['no member of its items surely names one'] };
    if (idParameter !== undefined && listed.idPlace?.join('.') !== idPlace.join('.'))
      return {
        doubts: [`${listed.idPlace?.join('.')} and ${idPlace.join('.')} may both name an item`],
      };
    const create = this.#roles.find(
      ({ role, operation }) => role === 'create' && operation.path === list.path,
    )?.operation;
    const sentPlaces = new Map<string, MemberPlace>();
    const sendsItem = (operation: Operation): boolean => {
      const [wrapper] = findSentPlace(operation, list.path, undefined);
      // The item may have such a member itself.
      if (wrapper === undefined || properties.has(wrapper)) return true;
      const sent = schemaAt(jsonContent(operation.requestBody?.content ?? [])?.schema, [wrapper]);
      const isItem = [...(sent?.shape().properties.keys() ?? [])].some((name) =>
        properties.has(name),
      );
      if (isItem) sentPlaces.set(operation.id, [wrapper]);
      return isItem;
    };
    const isCreated =
      create !== undefined &&
      sendsItem(create) &&
      /^20[01]$/.test(successResponse(create)?.status ?? '') &&
      shownBy(create) !== undefined;
    const at = (method: string): Operation | undefined =>
      ofItem.find((operation) => operation.method === method && sendsItem(operation));
    const shown = new Map<string, ShownItem>();
    for (const operation of new Set([list, create, ...ofItem])) {
      const found = operation && shownBy(operation);
      if (operation !== undefined && found !== undefined) shown.set(operation.id, found);
    }
    const { filters, limit } = this.#overrule;
    const resource = {
      collectionPath: list.path,
      parents: [...list.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name),
      itemPath: idParameter === undefined ? undefined : itemPath,
      item,
      idPlace,
      idParameter,
      list,
      shown,
      sentPlaces,
      create: isCreated ? create : undefined,
      get: at('GET'),
      replace: at('PUT'),
      update: at('PATCH'),
      remove: at('DELETE'),
      filters: findFilters(list, listed.item.shape().properties, filters),
      limit: findPageLimit(list, (name) => properties.has(name), limit),
    };
    // What can have one value only asks for nothing: `api-version=2024-05-01`.
    const asked = list.parameters.find(
      (parameter) =>
        parameter.in === 'query' &&
        parameter.required &&
        parameter !== resource.limit?.parameter &&
        parameter.schema.shape().values?.length !== 1 &&
        !/^(api)?version$/.test(plainName(parameter.name)),
    );
    if (asked !== undefined && (!isCreated || listed.place.length > 0))
      return { doubts: [`${list.id} shows only what ${asked.name} asks for`] };
    const doubts: string[] = [];
    if (create !== undefined && !isCreated)
      doubts.push(`${create.id} does not return 201 or 200 with an item as ${list.id} lists it`);
    if (this.itemPath !== undefined && ofItem.length === 0)
      doubts.push(`no operation of ${this.itemPath} returns an item as ${list.id} lists it`);
    return { resource, doubts };
  }
}

/** The path parameter of a name that operations share. */
function findParameter(
  operations: readonly Operation[],
  name: string | undefined,
): Parameter | undefined {
  return operations
    .flatMap(({ parameters }) => parameters)
    .find((parameter) => parameter.in === 'path' && parameter.name === name);
}

/** The operations of one path of items: one with a GET that returns an item, else one with no GET. */
function findItemOperations(
  all: readonly Operation[],
  returnsItem: (operation: Operation) => boolean,
): readonly Operation[] {
  const paths = [...Map.groupBy(all, ({ path }) => path).values()].map((operations) => ({
    operations,
    get: operations.find(({ method }) => method === 'GET'),
  }));
  const readable = paths.find(({ get }) => get !== undefined && returnsItem(get));
  return (readable ?? paths.find(({ get }) => get === undefined))?.operations ?? [];
}

/** Whether a view shows what another one does, or a part of it: its identifier, and mostly members that both have. */
function isPart({ item, idPlace, isList }: ItemView, whole: ItemView): boolean {
  if (item.pointer === whole.item.pointer) return true;
  const own = whole.item.shape().properties;
  const names = [...item.shape().properties.keys()];
  const common = names.filter((name) => own.has(name)).length;
  if (idPlace === undefined || idPlace.join('.') !== whole.idPlace?.join('.')) return false;
  // A list of bare identifiers may be one of other things.
  return common > names.length / 2 && common >= (isList ? 2 : 1);
}

/** What sentences call that which names an item: `id`, `metadata.name`. */
export function idName({ idPlace }: Pick<Resource, 'idPlace'>): string {
  return idPlace.join('.');
}

/** Whether the success response of an operation shows one item of a resource. */
export function answersItem({ id }: Operation, { list, shown }: Resource): boolean {
  return id !== list.id && shown.has(id);
}

/** Where the success response of an operation has what it shows of a resource; undefined where it shows none. */
export function shownPlace(
  resources: readonly Resource[],
  { id }: Operation,
): readonly string[] | undefined {
  return resources.find(({ shown }) => shown.has(id))?.shown.get(id)?.place;
}

/** Where the item is in the body of a request; empty where it is the body, or there is none. */
export function sentPlace(
  resources: readonly Resource[],
  operation: Operation | undefined,
): readonly string[] {
  const id = operation?.id ?? '';
  return resources.find(({ sentPlaces }) => sentPlaces.has(id))?.sentPlaces.get(id) ?? [];
}

/** The schema of the item in the JSON body of a request; of operations without items, that of the body. */
export function sentSchema(
  resources: readonly Resource[],
  operation: Operation,
): SchemaNode | undefined {
  const schema = jsonContent(operation.requestBody?.content ?? [])?.schema;
  return schemaAt(schema, sentPlace(resources, operation));
}

/** The same of all media types, in the document's order. */
export function sentSchemas(
  resources: readonly Resource[],
  operation: Operation | undefined,
): readonly SchemaNode[] {
  return (operation?.requestBody?.content ?? []).flatMap(
    ({ schema }) => schemaAt(schema, sentPlace(resources, operation)) ?? [],
  );
}

/** A PUT that the document lets answer 201 adds an item that is not there (RFC 9110 section 9.3.4). */
export function mayAdd({ method, responses }: Operation): boolean {
  return method === 'PUT' && responses.some(({ status }) => status === '201');
}

/** The operation that adds items: POST to the collection, else a PUT that may. */
export function additionOf({ create, replace }: Resource): Operation | undefined {
  return create ?? (replace && mayAdd(replace) ? replace : undefined);
}

/** Whether an operation lists, adds, reads, changes or removes the items of a resource. */
export function isOfResource({ id }: Operation, resources: readonly Resource[]): boolean {
  return resources.some(({ list, create, get, replace, update, remove }) =>
    [list, create, get, replace, update, remove].some((operation) => operation?.id === id),
  );
}
