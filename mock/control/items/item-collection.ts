import { type JsonObject, type SchemaNode, PetstoreError } from '../../../contract/index.ts';

/** An item, and what names it in the control interface. */
export interface NamedItem {
  readonly id: string;
  readonly item: JsonObject;
}

/** Which items are meant. */
export interface ItemQuery {
  /** Stands somewhere in their JSON, in any case; empty for any. */
  readonly text: string;
  readonly offset: number;
  readonly limit: number;
}

/** Some of the items that fit a query, and how many there are. */
export interface ItemPage {
  readonly total: number;
  readonly items: readonly NamedItem[];
}

/** The items of one collection of a sandbox. What is unfit throws `PetstoreError`. */
export interface ItemCollection {
  /** Path, the ids of parents filled in: `/stores/7/pets`. */
  readonly path: string;
  /** The same as the document has it: `/stores/{storeId}/pets`. */
  readonly template: string;
  /** Member that identifies an item; undefined where none does. */
  readonly idMember: string | undefined;
  /** Of an item; undefined where the document has none. */
  readonly schema: SchemaNode | undefined;
  readonly count: number;
  readonly ids: readonly string[];
  /** In the order of the collection. */
  list(query: ItemQuery): ItemPage;
  /** An item that can be added as it is. */
  sample(): JsonObject;
  add(item: JsonObject): NamedItem;
  /** Undefined where there is no item with that id. */
  replace(id: string, item: JsonObject): NamedItem | undefined;
  /** False if there is none with that id. */
  remove(id: string): boolean;
}

/** An error of an item, for its author. */
export function unfitItem(message: string): PetstoreError {
  return new PetstoreError('seed', message);
}
