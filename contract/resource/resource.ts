import { isJsonMediaType } from '../openapi/media-type.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

/** A collection of items that operations list, create, get, replace, update and remove. */
export interface Resource {
  /** The collection's path: `/pets`. */
  readonly collectionPath: string;
  /** `/pets/{petId}`; undefined where the document has no item path. */
  readonly itemPath: string | undefined;
  /** An item as responses hold it. */
  readonly item: SchemaNode;
  /** The property that names an item: `id`. */
  readonly idProperty: string;
  /** The path parameter that stands for it: `petId`. */
  readonly idParameter: Parameter | undefined;
  readonly list: Operation;
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

/** Whether a successful response of an operation holds an item of a resource. */
export function answersItem({ responses }: Operation, { item }: Pick<Resource, 'item'>): boolean {
  return responses.some(
    ({ status, content }) =>
      status.startsWith('2') &&
      content.some(
        ({ mediaType, schema }) => isJsonMediaType(mediaType) && schema?.pointer === item.pointer,
      ),
  );
}
