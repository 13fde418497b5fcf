import type { SchemaNode } from '../../contract/schema/schema-node.ts';

/** No value can be drawn for a schema: none fits, or only some that are too rare to be met. */
export class UndrawableSchema extends Error {
  override readonly name = 'UndrawableSchema';
  /** `what` names the value in the message: `list of 4 different items`. */
  constructor({ pointer }: SchemaNode, options?: ErrorOptions & { readonly what?: string }) {
    super(`no valid ${options?.what ?? 'value'} could be generated for ${pointer}`, options);
  }
}

/** Misses in a row before a schema counts as one that no value can be drawn for. */
export const patience = 2000;
