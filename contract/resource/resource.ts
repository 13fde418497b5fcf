import * as codec from '../json/codec.ts';
import { type MemberPlace } from '../json/place.ts';
import { type JsonValue, renderJson } from '../json/value.ts';
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

/** Where a response has an item, or the items of a list. */
export interface ShownItem {
  /** Path of members from the body to the item, or to the array of items: `[]`, `['data']`. */
  readonly place: readonly string[];
  /** Schema of the whole item, or of the part that is shown. */
  readonly schema: SchemaNode;
}

/**
 * A certain collection, with the operations that list, create, get, change and remove its items.
 */
export interface Resource {
  /** The collection's path: `/pets`. */
  readonly collectionPath: string;
  /**
   * Path parameters in it, outermost first. Each combination of values is a separate collection.
   */
  readonly parents: readonly string[];
  /** `/pets/{petId}`; undefined if the document has no item path. */
  readonly itemPath: string | undefined;
  /** The item as GET of an item returns it; else as POST, else as the list does. */
  readonly item: SchemaNode;
  /** Path of members from the item to its id: `['id']`, `['metadata', 'name']`. */
  readonly idPlace: MemberPlace;
  /** The path parameter for the id: `petId`. */
  readonly idParameter: Parameter | undefined;
  readonly list: Operation;
  /**
   * Where the success response of each operation has an item, by operation id. Operations without
   * items are left out.
   */
  readonly shown: ReadonlyMap<string, ShownItem>;
  /**
   * By operation id, the path of members from a request body to the item, as in `{"book": {...}}`.
   * Operations whose body is the item itself are left out.
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

/** The members of `x-resource` on the path of a collection. */
export const resourceOverrule = codec.object({
  idProperty: codec.optional(codec.text),
  /** Name of the query parameter that limits a page; false: there is none. */
  limit: codec.optional(textOrFalse),
  /** Maps query parameters to properties. */
  filters: codec.optional(codec.map(codec.text)),
});

export type ResourceOverrule = codec.TypeOf<typeof resourceOverrule>;

/** What the suite may test of a collection, and why not more. */
interface Certainty {
  readonly resource?: Resource;
  readonly doubts: readonly string[];
}

/** An operation with its role and the evidence for it. */
interface InferredOperation extends RoleByPath {
  /** Sum of the weights of the evidence. */
  readonly weight: number;
}

const noNames: IdNames = { inPath: [], sure: [], all: [] };

const rolesOfItems: readonly InferredRole[] = ['get', 'list', 'create', 'replace', 'update'];

/**
 * A collection of items that a document seems to have. The mock serves all of them, certain or not.
 * Everything that needs schemas is computed lazily, to keep large documents cheap.
 */
export class InferredResource {
  /** Path of the collection: `/stores/{storeId}/pets`. */
  readonly path: string;
  /** Path of an item; undefined if the document has none. */
  readonly itemPath: string | undefined;
  /** There is a single item, whose path is `path`: `/settings`. */
  readonly isSingle: boolean;
  /** The path parameter that identifies an item. */
  readonly idParameter: Parameter | undefined;
  /** Path parameters of the parent collections, outermost first. */
  readonly parents: readonly string[];
  /** Operations whose responses may contain items, GET of an item first. */
  readonly showing: readonly Operation[];
  /** Possible names of the identifying member, most likely first, without case and punctuation. */
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

  /** Where the success response of an operation has items; undefined if it has none. */
  readonly viewOf = (operation: Operation): ItemView | undefined =>
    (this.#views ??= findViews(
      this,
      new Map(this.#roles.map((each) => [each.operation, each.role])),
      this.#idNames,
    )).get(operation);

  /** Path of members from the body of a request to its item; `[]`: the body is the item. */
  sentPlace(operation: Operation): readonly string[] {
    return findSentPlace(operation, this.path, this.viewOf(operation));
  }

  /** Roles with all evidence. A `list` whose body is described but not a list becomes a view. */
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

  /** Clients can learn ids from responses, and GET of an unknown id has a documented response. */
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

  /** What the suite tests; undefined if that would be a guess. */
  get certain(): Resource | undefined {
    return (this.#certainty ??= this.#judge()).resource;
  }

  /** Why the collection is uncertain, or which operations are left out: one sentence each. */
  get doubts(): readonly string[] {
    return (this.#certainty ??= this.#judge()).doubts;
  }

  /** The item as GET of an item returns it, else POST, else the list, which may have summaries. */
  #findItem(listed: ItemView): SchemaNode {
    const single = this.#roles
      .filter(({ role }) => role === 'get' || role === 'create')
      .toSorted((one, other) => other.role.localeCompare(one.role))
      .map(({ operation }) => this.viewOf(operation));
    const found = single.find((view) => view?.isSure === true && isPart(listed, view));
    return (found ?? listed).item;
  }

  /**
   * The certain part. Some schema S must be returned by GET of an item, by POST, or by a GET as an
   * array of S, and a member of S must identify the item. The other operations must return S or a
   * part of it: GET an array, or an object with one such array; POST with 201, or with 200 if
   * another operation returns the same.
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
    const id = idPlace && schemaAt(item, idPlace);
    // An example that the path does not take shows that the path means another member.
    const isTaken = (example: JsonValue): boolean =>
      idParameter === undefined ||
      [example, renderJson(example)].some((one) => idParameter.schema.validate(one).length === 0);
    const isTyped =
      this.#overrule.idProperty !== undefined ||
      (isOfType(id, idParameter) && id?.shape().examples.every(isTaken) === true);
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
      // The item itself may have a member of that name.
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
    // A parameter with only one possible value does not filter anything: `api-version=2024-05-01`.
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

/** The path parameter of a name that the operations share. */
function findParameter(
  operations: readonly Operation[],
  name: string | undefined,
): Parameter | undefined {
  return operations
    .flatMap(({ parameters }) => parameters)
    .find((parameter) => parameter.in === 'path' && parameter.name === name);
}

/**
 * The operations of one item path: preferably one whose GET returns an item, else one without GET.
 */
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

/** Whether a view shows all or part of what another one does: its id, and mostly common members. */
function isPart({ item, idPlace, isList }: ItemView, whole: ItemView): boolean {
  if (item.pointer === whole.item.pointer) return true;
  const own = whole.item.shape().properties;
  const names = [...item.shape().properties.keys()];
  const common = names.filter((name) => own.has(name)).length;
  if (idPlace === undefined || idPlace.join('.') !== whole.idPlace?.join('.')) return false;
  // A list of bare ids may be a list of other things.
  return common > names.length / 2 && common >= (isList ? 2 : 1);
}

/** The name of the id in sentences: `id`, `metadata.name`. */
export function idName({ idPlace }: Pick<Resource, 'idPlace'>): string {
  return idPlace.join('.');
}

/** Whether the success response of an operation is a single item of a resource. */
export function answersItem({ id }: Operation, { list, shown }: Resource): boolean {
  return id !== list.id && shown.has(id);
}

/** Where the success response of an operation has items of a resource; undefined if it has none. */
export function shownPlace(
  resources: readonly Resource[],
  { id }: Operation,
): readonly string[] | undefined {
  return resources.find(({ shown }) => shown.has(id))?.shown.get(id)?.place;
}

/** Where the item is in a request body; empty if it is the body, or there is none. */
export function sentPlace(
  resources: readonly Resource[],
  operation: Operation | undefined,
): readonly string[] {
  const id = operation?.id ?? '';
  return resources.find(({ sentPlaces }) => sentPlaces.has(id))?.sentPlaces.get(id) ?? [];
}

/**
 * The schema of the item in the JSON body of a request; for operations without items, that of the
 * body.
 */
export function sentSchema(
  resources: readonly Resource[],
  operation: Operation,
): SchemaNode | undefined {
  const schema = jsonContent(operation.requestBody?.content ?? [])?.schema;
  return schemaAt(schema, sentPlace(resources, operation));
}

/** The same for all media types, in the document's order. */
export function sentSchemas(
  resources: readonly Resource[],
  operation: Operation | undefined,
): readonly SchemaNode[] {
  return (operation?.requestBody?.content ?? []).flatMap(
    ({ schema }) => schemaAt(schema, sentPlace(resources, operation)) ?? [],
  );
}

/** A PUT that documents 201 creates a missing item (RFC 9110 section 9.3.4). */
export function mayAdd({ method, responses }: Operation): boolean {
  return method === 'PUT' && responses.some(({ status }) => status === '201');
}

/** The operation that adds items: POST to the collection, else a PUT that documents 201. */
export function additionOf({ create, replace }: Resource): Operation | undefined {
  return create ?? (replace && mayAdd(replace) ? replace : undefined);
}

/** Whether an operation lists, adds, reads, changes or removes the items of a resource. */
export function isOfResource({ id }: Operation, resources: readonly Resource[]): boolean {
  return resources.some(({ list, create, get, replace, update, remove }) =>
    [list, create, get, replace, update, remove].some((operation) => operation?.id === id),
  );
}

/** An item as the success response of an operation shows it: all of it or a part; where it shows none, all. */
export function shownSchema({ shown, item }: Resource, { id }: Operation): SchemaNode {
  return shown.get(id)?.schema ?? item;
}
