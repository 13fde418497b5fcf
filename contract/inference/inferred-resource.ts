import type { MediaType } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import type { ResponseContract } from '../openapi/response.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

/** The part that an operation seems to play for a collection of items. */
export type InferredRole =
  | 'list'
  | 'create'
  | 'get'
  | 'replace'
  | 'update'
  | 'remove'
  /** Does something to one item: `POST /orders/{id}/cancel`. */
  | 'action'
  /** Tells something of one item: `GET /orders/{id}/invoice`. */
  | 'view'
  /** Changes several items at once. */
  | 'bulk';

/** Why something was inferred, or what speaks against it. */
export interface Evidence {
  readonly kind: 'path' | 'method' | 'schema' | 'id' | 'name' | 'location' | 'link' | 'extension';
  /** For people: `operationId createPet has the word create`. */
  readonly text: string;
  /** Below 0: it speaks against. */
  readonly weight: number;
}

/** Where items stand in a JSON body. */
export interface ItemView {
  readonly content: MediaType;
  /** Members from the body down to the item, or to the array of items: `['data']`. */
  readonly place: readonly string[];
  /** The place holds an array of items. */
  readonly isList: boolean;
  /** One item as this body shows it. */
  readonly item: SchemaNode;
  /** The member that names the item here; undefined where none does. */
  readonly idMember: string | undefined;
}

/** The response that an operation gives when all goes well. */
export interface SuccessView {
  /** Undefined where the operation documents no response of success. */
  readonly response: ResponseContract | undefined;
  readonly status: number;
  /** Undefined where the response is no JSON, or shows no item. */
  readonly view: ItemView | undefined;
}

export interface InferredOperation {
  readonly operation: Operation;
  readonly role: InferredRole;
  /** What speaks for the role, and against it. */
  readonly evidence: readonly Evidence[];
  /** Sum of the weights, from 0 on. */
  readonly weight: number;
}

/**
 * A collection of items as a document seems to have it. A guess that is weighed: what is certain is
 * in `Contract.resources`.
 */
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
  /** What stands in the response of success of one of its operations. */
  readonly success: (operation: Operation) => SuccessView;
  /** Where the item stands in the body of a request, without the names of envelopes; `[]`: it is the body. */
  readonly sentPlace: (operation: Operation) => readonly string[];
  /** Members that may name an item, likeliest first, without case and punctuation. */
  readonly idNames: readonly string[];
  /** Ids can be learned from responses, and an unknown one has a documented response. */
  readonly isClosed: boolean;
}
