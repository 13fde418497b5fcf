import type { MemberPlace } from '../json/place.ts';
import type { MediaType } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { successContent } from '../openapi/response.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

/**
 * The parts that operations play for a collection of items. `action` does something to one item:
 * `POST /orders/{id}/cancel`; `view` shows something of one: `GET /orders/{id}/invoice`; `bulk` changes
 * several at once.
 */
export const inferredRoles = [
  ...(['list', 'create', 'get', 'replace', 'update', 'remove'] as const),
  ...(['action', 'view', 'bulk'] as const),
];

export type InferredRole = (typeof inferredRoles)[number];

/** Why something was inferred, or what speaks against it. */
export interface Evidence {
  readonly kind: 'path' | 'method' | 'schema' | 'id' | 'name' | 'location' | 'link' | 'extension';
  /** For people: `operationId createPet has the word create`. */
  readonly text: string;
  /** Below 0: it speaks against. */
  readonly weight: number;
}

/** Where items are in a JSON body. */
export interface ItemView {
  /** Where the document has no schema for it, with one of what its examples show. */
  readonly content: MediaType;
  /** Members from the body down to the item, or to the array of items: `['data']`. */
  readonly place: readonly string[];
  /** The place holds an array of items. */
  readonly isList: boolean;
  /** One item as this body shows it. */
  readonly item: SchemaNode;
  /** Members from the item down to its id: `['id']`, `['metadata', 'name']`; undefined where it shows none. */
  readonly idPlace: readonly string[] | undefined;
}

export interface InferredOperation {
  readonly operation: Operation;
  readonly role: InferredRole;
  /** What speaks for the role, and against it. */
  readonly evidence: readonly Evidence[];
  /** Sum of the weights, from 0 on. */
  readonly weight: number;
}

/** A collection of items as a document seems to have it. The mock serves all, certain or not. */
export interface InferredResource {
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
  readonly operations: readonly InferredOperation[];
  /** Those whose responses may show items, GET of an item first. */
  readonly showing: readonly Operation[];
  /** What the success response of one of its operations shows; undefined for no item. */
  readonly viewOf: (operation: Operation) => ItemView | undefined;
  /** Members from the body of a request to the item in it; `[]`: the item is the body. */
  readonly sentPlace: (operation: Operation) => readonly string[];
  /** Members that may name an item, likeliest first, without case and punctuation. */
  readonly idNames: readonly string[];
  /** Ids can be learned from responses, and an unknown one has a documented response. */
  readonly isClosed: boolean;
  /** What the suite tests servers against; undefined where that would be a guess. */
  readonly certain: Resource | undefined;
  /** Why it is not certain, or which operations are left out of what is: a sentence each. */
  readonly doubts: readonly string[];
}

/** A collection that leaves no doubt: what operations list, create, get, change and remove. */
export interface Resource {
  /** The collection's path: `/pets`. */
  readonly collectionPath: string;
  /** Path parameters in it, outermost first: there is one collection for each of their values. */
  readonly parents: readonly string[];
  /** `/pets/{petId}`; undefined where the document has no item path. */
  readonly itemPath: string | undefined;
  /** An item as responses hold it. */
  readonly item: SchemaNode;
  /** Members from the item down to what names it: `['id']`, `['metadata', 'name']`. */
  readonly idPlace: MemberPlace;
  /** The path parameter that stands for it: `petId`. */
  readonly idParameter: Parameter | undefined;
  readonly list: Operation;
  /**
   * By operation id, members from the success response down to the item, or to the array of items of a
   * list: `[]`, `['data']`. Without those that show none.
   */
  readonly places: ReadonlyMap<string, readonly string[]>;
  readonly create: Operation | undefined;
  readonly get: Operation | undefined;
  readonly replace: Operation | undefined;
  readonly update: Operation | undefined;
  readonly remove: Operation | undefined;
  /** Query parameters of the list that keep items whose property equals them. */
  readonly filters: readonly { readonly parameter: Parameter; readonly property: string }[];
  /** The query parameter that bounds the number of items in a response. */
  readonly limit: PageLimit | undefined;
}

export interface PageLimit {
  readonly parameter: Parameter;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly default: number | undefined;
}

/** What sentences call that which names an item: `id`, `metadata.name`. */
export function idName({ idPlace }: Pick<Resource, 'idPlace'>): string {
  return idPlace.join('.');
}

/** Whether the success response of an operation shows one item of a resource. */
export function answersItem({ id }: Operation, { list, places }: Resource): boolean {
  return id !== list.id && places.has(id);
}

/** Where the success response of an operation has what it shows of a resource; undefined where it shows none. */
export function shownPlace(
  resources: readonly Resource[],
  { id }: Operation,
): readonly string[] | undefined {
  return resources.find(({ places }) => places.has(id))?.places.get(id);
}

/** Members of objects in a body that are looked into for items: `data.items`. */
export const deepestPlace = 2;

/** Where the success response of an operation has an item of a schema; undefined for no place, or several. */
export function itemPlace(operation: Operation, item: SchemaNode): readonly string[] | undefined {
  const find = (
    schema: SchemaNode | undefined,
    place: readonly string[],
  ): (readonly string[])[] => {
    if (schema === undefined || schema.pointer === item.pointer) return schema ? [place] : [];
    const { types, properties } = schema.shape();
    if (!types.includes('object') || place.length === deepestPlace) return [];
    return [...properties].flatMap(([name, member]) => find(member, [...place, name]));
  };
  const [place, ...others] = find(successContent(operation)?.schema, []);
  return others.length === 0 ? place : undefined;
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
