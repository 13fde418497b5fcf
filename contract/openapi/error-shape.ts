import { listOf, objectOf } from '../json/value.ts';
import { isJsonMediaType } from './media-type.ts';
import { appendPointer } from '../json/pointer.ts';
import { referenceOf } from '../source/node.ts';
import type { CompileContext } from './compile-context.ts';
import type { Operation } from './operation.ts';
import { listErrorResponses } from './response.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

/** The schema of error bodies and the role of each property, so that a server can fill them in. */
export interface ErrorShape {
  readonly schema: SchemaNode;
  /**
   * Whether all error responses of the document have it, for more than one status: then other errors should
   * have it too.
   */
  readonly isShared: boolean;
  readonly members: readonly { readonly name: string; readonly role: ErrorRole }[];
}

/** `status`: the status as a number; `message`: for people; `code`: for programs. */
export type ErrorRole = 'status' | 'message' | 'code' | 'other';

/** Member names by role, likeliest first. */
const names = {
  status: ['status', 'statusCode', 'status_code', 'httpStatus'],
  message: ['message', 'detail', 'description', 'error_description'],
  code: ['code', 'error', 'type'],
};

/**
 * The schema that the JSON bodies of error responses share, also through `allOf`, with the roles of its
 * properties. Undefined if no error response has a JSON object.
 */
export function compileErrorShape(
  context: CompileContext,
  operations: readonly Operation[],
): ErrorShape | undefined {
  const errors = listErrorResponses(operations);
  const bodies = new Map<string, SchemaNode>();
  for (const { content, pointer } of errors) {
    const schema = content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
    if (schema !== undefined) bodies.set(pointer, schema);
  }
  const parts = [...bodies.values()].map((body) => listParts(context, body));
  const schema = findShared(parts.flat());
  const { properties } = schema?.shape() ?? {};
  if (schema === undefined || properties === undefined || properties.size === 0) return undefined;
  const isOfType = (name: string, type: 'integer' | 'string'): boolean =>
    properties.get(name)?.shape().types.includes(type) === true;
  const byName = new Map<string | undefined, ErrorRole>([
    [names.code.find((name) => isOfType(name, 'string')), 'code'],
    [names.message.find((name) => isOfType(name, 'string')), 'message'],
    [names.status.find((name) => isOfType(name, 'integer')), 'status'],
  ]);
  return {
    schema,
    isShared:
      parts.every((each) => each.some(({ pointer }) => pointer === schema.pointer)) &&
      errors.every(({ content }) => content.length > 0) &&
      // A single status says nothing about others: frameworks document only that of invalid requests.
      errors.some(({ status }) => status === 'default' || status !== errors[0]?.status),
    members: [...properties.keys()].map((name) => ({ name, role: byName.get(name) ?? 'other' })),
  };
}

/** The definition that most bodies include; of several, the outermost, and preferably a component. */
function findShared(parts: readonly SchemaNode[]): SchemaNode | undefined {
  const [most] = [...Map.groupBy(parts, ({ pointer }) => pointer)].toSorted(
    ([left, ofLeft], [right, ofRight]) =>
      ofRight.length - ofLeft.length || rankOf(right) - rankOf(left),
  );
  return most?.[1][0];
}

function rankOf(pointer: string): number {
  return Number(pointer.startsWith('#/components/schemas/'));
}

/** A schema and the definitions in its `allOf`, outermost first. */
function listParts(context: CompileContext, node: SchemaNode): readonly SchemaNode[] {
  const parts = new Map([[node.pointer, node]]);
  for (const { pointer, schema } of parts.values())
    for (const [index, member] of listOf(objectOf(schema)['allOf']).entries()) {
      if (referenceOf(member) === undefined) continue;
      const part = context.schema(appendPointer(pointer, 'allOf', index));
      if (part !== undefined) parts.set(part.pointer, part);
    }
  return [...parts.values()];
}
