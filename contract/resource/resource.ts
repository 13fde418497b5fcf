import * as codec from '../json/codec.ts';
import { type MemberPlace } from '../json/place.ts';
import { type JsonValue, renderJson } from '../json/value.ts';
import { once } from '../memo/once.ts';
import { memberContent } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { isBodyOpen, successResponse } from '../openapi/response.ts';
import type { SchemaNode, Shape } from '../schema/schema-node.ts';
import {
  findAlike,
  findIdPlace,
  findSentPlace,
  findViews,
  type ItemView,
  schemaAt,
} from './item-view.ts';
import { type Filter, findFilters, findPageLimit, type PageLimit } from './list-parameters.ts';
import {
  type IdNames,
  idNamesFor,
  parameterAtEnd,
  parametersIn,
  plainName,
  singularNames,
} from './names.ts';
import { type Evidence, findEvidence } from './evidence.ts';
import type { CollectionPaths, InferredRole, PlacedRole } from './paths.ts';

export type { InferredRole, ItemView, PageLimit };

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
  readonly shown: ReadonlyMap<string, ItemView>;
  /** By operation id, the path of members from a request body to the item: `[]`, `['book']`. */
  readonly sentPlaces: ReadonlyMap<string, readonly string[]>;
  readonly create: Operation | undefined;
  readonly get: Operation | undefined;
  /** PUT; else a POST of an item that sends what `create` sends. */
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
  readonly #roles: readonly PlacedRole[];
  readonly #list: Operation | undefined;
  readonly #overrule: ResourceOverrule;
  readonly #idNames: IdNames;
  #views: ReadonlyMap<Operation, ItemView> | undefined;
  #operations: readonly (PlacedRole & Evidence)[] | undefined;
  #certainty: Certainty | undefined;

  constructor(
    { path, itemPath, isSingle, placed }: CollectionPaths,
    roles: readonly PlacedRole[],
    overrule: ResourceOverrule,
  ) {
    const idName = parameterAtEnd(itemPath);
    this.path = path;
    this.itemPath = itemPath;
    this.isSingle = isSingle;
    this.idParameter = findParameter(placed.item, idName);
    this.parents = parametersIn(path);
    const list = roles.find(({ role }) => role === 'list')?.operation;
    // A second list, within a parent, may show something else.
    const isSecond = (one: PlacedRole): boolean =>
      one.role === 'list' && one.operation !== list && this.isPartial(one.operation);
    this.showing = rolesOfItems.flatMap((wanted) =>
      roles
        .filter((one) => one.role === wanted && !isSecond(one))
        .map(({ operation }) => operation),
    );
    this.#idNames = isSingle ? noNames : idNamesFor(path, idName, overrule.idProperty);
    // Some paths name an item by another member: `/users/{email}` beside `/users/{id}`.
    const others = placed.item.map((one) => plainName(parameterAtEnd(one.path) ?? ''));
    this.idNames = [...new Set([...this.#idNames.all, ...others])].filter((one) => one !== '');
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

  /** A list within a parent beside one of all items, which may show something else. */
  #isSecond({ role, operation }: PlacedRole): boolean {
    return role === 'list' && operation !== this.#list && this.isPartial(operation);
  }

  /**
   * Roles with all evidence. A `list` whose body is described but not a list becomes a view, and so does
   * a second one that shows other ids.
   */
  get operations(): readonly (PlacedRole & Evidence)[] {
    return (this.#operations ??= this.#roles.map((each) => {
      const view = this.viewOf(each.operation);
      const mayList = this.#isSecond(each)
        ? view?.isList === true &&
          view.idPlace?.join('.') === this.shownBest?.view.idPlace?.join('.')
        : isBodyOpen(each.operation) || view?.isList === true;
      const role = each.role === 'list' && !mayList ? 'view' : each.role;
      return { ...each, role, ...findEvidence(each, this) };
    }));
  }

  /**
   * Whether an operation lists and adds items of one parent only, which the path of the items does not
   * have: `/users/{userId}/meetings` of `/meetings/{id}`.
   */
  isPartial({ path }: Operation): boolean {
    return parametersIn(path).length > this.parents.length;
  }

  /** The operation whose response shows most of an item, and how; undefined if none shows an object. */
  get shownBest(): { readonly operation: Operation; readonly view: ItemView } | undefined {
    for (const operation of this.showing) {
      const view = this.viewOf(operation);
      if (view?.item.shape().types.includes('object') === true) return { operation, view };
    }
    return undefined;
  }

  /** Clients can learn all ids from responses, and GET of an unknown id has a documented response. */
  get isClosed(): boolean {
    const get = this.operations.find(({ role }) => role === 'get')?.operation;
    return (
      get?.responses.some(({ status }) => /^(?:404|4XX)$/i.test(status)) === true &&
      this.operations.some(
        ({ role, operation }) =>
          (role === 'list' || role === 'create') &&
          !this.isPartial(operation) &&
          this.viewOf(operation)?.idPlace !== undefined,
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

  /**
   * The certain part. Some schema S must be returned by GET of an item, by POST, or by a GET as an
   * array of S, and a member of S must identify the item. The other operations must return S or a
   * part of it: GET an array, or an object with one such array, named after the collection if no
   * other operation returns S; POST with 201, or with 200 if another operation returns the same.
   */
  #judge(): Certainty {
    const list = this.#roles.find(({ role }) => role === 'list')?.operation;
    if (this.isSingle) return doubt('it is a single item');
    if (list === undefined) return doubt('no operation lists its items');
    const listed = this.viewOf(list);
    const unclear = doubt(
      `the body of ${list.id} is not an array of objects and does not have one array of what other operations return or the path names`,
    );
    if (listed?.isSure !== true) return unclear;
    const item = this.#findItem(listed);
    const views = this.#viewsLike(list, listed, item);
    const holder = listed.place.at(-1);
    const isNamed = holder === undefined || singularNames(this.path).includes(plainName(holder));
    if (!isNamed && views.size < 2) return unclear;
    const ofItem = this.#findItemOperations(list, views);
    const idParameter = findParameter(ofItem, parameterAtEnd(ofItem[0]?.path));
    const idPlace = this.#findId(item, idParameter);
    if (idPlace === undefined) return doubt('no member of its items surely names one');
    const [id, listedId] = [idPlace.join('.'), listed.idPlace?.join('.')];
    if (idParameter !== undefined && listedId !== id)
      return doubt(`${listedId} and ${id} may both name an item`);
    const create = this.#roles.find(
      ({ role, operation }) => role === 'create' && operation.path === list.path,
    )?.operation;
    const { properties } = item.shape();
    const sentPlaces = new Map<string, readonly string[]>();
    const shown = new Map<string, ItemView>();
    const added = create && shapeSent(create, this.#surelySent(create, properties));
    for (const operation of [list, ...(create ? [create] : []), ...ofItem]) {
      const [place, view] = [this.#surelySent(operation, properties), views.get(operation)];
      const isChange = ofItem.includes(operation);
      if (place && !(isChange && isCommand(shapeSent(operation, place), properties, added)))
        sentPlaces.set(operation.id, place);
      if (view !== undefined) shown.set(operation.id, view);
    }
    const isCreated =
      create !== undefined &&
      sentPlaces.has(create.id) &&
      shown.has(create.id) &&
      /^20[01]$/.test(successResponse(create)?.status ?? '');
    const at = (wanted: string): Operation | undefined =>
      ofItem.find(({ method, id }) => method === wanted && sentPlaces.has(id));
    const posted = this.#roles.find(
      ({ role, operation }) =>
        role === 'update' && operation.method === 'POST' && ofItem.includes(operation),
    )?.operation;
    const isWriting =
      posted !== undefined && shown.has(posted.id) && sendsAlike(posted, create, sentPlaces);
    const limit = findPageLimit(list, (name) => properties.has(name), this.#overrule.limit);
    // A parameter with only one possible value does not filter anything: `api-version=2024-05-01`.
    const asked = list.parameters.find(
      (parameter) =>
        parameter.in === 'query' &&
        parameter.required &&
        parameter !== limit?.parameter &&
        parameter.schema.shape().values?.length !== 1 &&
        !/^(api)?version$/.test(plainName(parameter.name)),
    );
    if (asked !== undefined && (!isCreated || listed.place.length > 0))
      return doubt(`${list.id} shows only what ${asked.name} asks for`);
    const doubts: string[] = [];
    if (create !== undefined && !isCreated)
      doubts.push(`${create.id} does not return 201 or 200 with an item as ${list.id} lists it`);
    if (this.itemPath !== undefined && ofItem.length === 0)
      doubts.push(
        this.isPartial(list)
          ? `${this.itemPath} is not below ${list.path}`
          : `no operation of ${this.itemPath} returns an item as ${list.id} lists it`,
      );
    const resource = {
      collectionPath: list.path,
      parents: parametersIn(list.path),
      itemPath: idParameter && ofItem[0]?.path,
      item,
      idPlace,
      idParameter,
      list,
      shown,
      sentPlaces,
      create: isCreated ? create : undefined,
      get: at('GET'),
      replace: at('PUT') ?? (isWriting ? posted : undefined),
      update: at('PATCH'),
      remove: at('DELETE'),
      filters: findFilters(list, listed.item.shape().properties, this.#overrule.filters),
      limit,
    };
    return { resource, doubts };
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

  /** The views that surely show the items of a list, or a part of them. */
  #viewsLike(
    list: Operation,
    listed: ItemView,
    item: SchemaNode,
  ): ReadonlyMap<Operation, ItemView> {
    const found = new Map<Operation, ItemView>();
    for (const { operation } of this.#roles) {
      const view = this.viewOf(operation);
      if (view?.isSure !== true || view.isList !== (operation === list)) continue;
      const isAdded = operation.method !== 'POST' || successResponse(operation)?.status === '201';
      const isWhole = [item, listed.item].some(({ pointer }) => pointer === view.item.pointer);
      if (isWhole || (isAdded && isPart(view, { ...listed, item }))) found.set(operation, view);
    }
    return found;
  }

  /** Those of one path below the list: one whose GET returns an item, else one without GET. */
  #findItemOperations(
    list: Operation,
    views: ReadonlyMap<Operation, ItemView>,
  ): readonly Operation[] {
    const start = list.path.replace(/\/$|\.\w+$/, '');
    const found = this.#roles
      .filter(({ place, operation }) => place === 'item' && isBelow(operation.path, start))
      .map(({ operation }) => operation);
    const read = found.filter(({ method }) => method === 'GET');
    const best =
      read.find((operation) => views.has(operation)) ??
      found.find(({ path }) => read.every((operation) => operation.path !== path));
    return found.filter(({ path }) => path === best?.path);
  }

  /** Where the id of an item surely is: it takes the values of the path parameter, if there is one. */
  #findId(item: SchemaNode, parameter: Parameter | undefined): MemberPlace | undefined {
    const { idProperty } = this.#overrule;
    const names = idNamesFor(this.path, parameter?.name, idProperty);
    const named = findIdPlace(item, { inPath: names.inPath, all: names.sure });
    const place = named ?? findAlike(item, parameter);
    if (place === undefined || !item.shape().properties.has(place[0])) return undefined;
    if (idProperty !== undefined || parameter === undefined) return place;
    const { types = [], examples = [] } = schemaAt(item, place)?.shape() ?? {};
    const inPath = parameter.schema.shape();
    const taken = new Set<string>(inPath.types);
    // A `petId` may be a text of digits, where nothing more is said of it.
    const isFree = inPath.format === undefined && inPath.pattern === undefined;
    if (taken.has('string') && isFree && /id$/i.test(parameter.name)) taken.add('integer');
    // An example that the path does not take shows that the path means another member.
    const isTaken = (example: JsonValue): boolean =>
      [example, renderJson(example)].some((one) => parameter.schema.isValid(one));
    return types.some((type) => taken.has(type)) && examples.every(isTaken) ? place : undefined;
  }

  /** Where requests surely have the item; undefined if a member of the body may be something else. */
  #surelySent(
    operation: Operation,
    properties: Shape['properties'],
  ): readonly string[] | undefined {
    const place = this.sentPlace(operation);
    // The item itself may have a member of that name.
    if (place.length === 0 || place.some((name) => properties.has(name))) return [];
    const names = [...(shapeSent(operation, place)?.properties.keys() ?? [])];
    return names.some((name) => properties.has(name)) ? place : undefined;
  }
}

function shapeSent(operation: Operation, place: readonly string[] = []): Shape | undefined {
  return schemaAt(memberContent(operation)?.schema, place)?.shape();
}

/**
 * Whether a body says how to change an item, instead of showing it changed: it needs a list or an
 * object that neither items nor additions have, such as `Operations` (RFC 7644 section 3.5.2).
 */
function isCommand(
  sent: Shape | undefined,
  item: Shape['properties'],
  added: Shape | undefined,
): boolean {
  return [...(sent?.required ?? [])].some((name) => {
    const types = sent?.properties.get(name)?.shape().types ?? [];
    const isNested = types.length > 0 && types.every((type) => /^(array|object)$/.test(type));
    return isNested && !item.has(name) && added?.properties.has(name) !== true;
  });
}

/** Whether a POST of an item sends what additions send, so it is not an action with its own input. */
function sendsAlike(
  posted: Operation,
  create: Operation | undefined,
  places: ReadonlyMap<string, readonly string[]>,
): boolean {
  const [own, added] = [posted, create].map((one) => {
    const shape = one && shapeSent(one, places.get(one.id));
    return new Set(shape?.properties.keys() ?? []);
  });
  return own !== undefined && added !== undefined && own.size > 1 && own.isSubsetOf(added);
}

function doubt(sentence: string): Certainty {
  return { doubts: [sentence] };
}

/** Whether a path continues another one: `/pets/{id}` and `/pets({id})` continue `/pets`. */
function isBelow(path: string, start: string): boolean {
  return path.startsWith(start) && /^(?:\/|\(\{)/.test(path.slice(start.length));
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

/** The schema of an item, or of its part, in the success response of an operation; else of all of it. */
export function shownSchema({ shown, item }: Resource, { id }: Operation): SchemaNode {
  return shown.get(id)?.item ?? item;
}

/** Where the item is in a request body; empty if it is the body, or there is none. */
export function sentPlace(
  resources: readonly Resource[],
  operation: Operation | undefined,
): readonly string[] {
  return sentPlacesOf(resources).get(operation?.id ?? '') ?? [];
}

const sentPlacesOf = once((resources: readonly Resource[]) =>
  firstOf(resources.flatMap(({ sentPlaces }) => [...sentPlaces])),
);

/**
 * The schema of the item in the JSON body or form of a request; for operations without items, that
 * of the body.
 */
export function sentSchema(
  resources: readonly Resource[],
  operation: Operation,
): SchemaNode | undefined {
  return schemaAt(memberContent(operation)?.schema, sentPlace(resources, operation));
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

/** The operations that list, add, read, change and remove the items of a resource. */
export function operationsOf({ list, create, get, replace, update, remove }: Resource) {
  return [list, create, get, replace, update, remove];
}

/** The first of some resources that an operation is of. */
export function resourceOf(
  resources: readonly Resource[],
  { id }: Operation,
): Resource | undefined {
  return resourcesByOperation(resources).get(id);
}

const resourcesByOperation = once((resources: readonly Resource[]) =>
  firstOf(
    resources.flatMap((each) =>
      operationsOf(each).map((operation) => [operation?.id ?? '', each] as const),
    ),
  ),
);

/** A map with the first value of each key. */
function firstOf<Value>(
  entries: readonly (readonly [string, Value])[],
): ReadonlyMap<string, Value> {
  return new Map(entries.toReversed());
}
