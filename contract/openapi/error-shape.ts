import { isJsonObject, listOf } from '../json/value.ts';
import { isJsonMediaType } from './media-type.ts';
import { appendPointer } from '../json/pointer.ts';
import { referenceOf } from '../source/node.ts';
import type { CompileContext } from './compile-context.ts';
import type { Operation } from './operation.ts';
import { isErrorResponse, listErrorResponses, type ResponseContract } from './response.ts';
import type { SchemaNode, Shape } from '../schema/schema-node.ts';

/** The error body and what each of its properties stands for, so that a server can fill it in. */
export interface ErrorShape {
  readonly schema: SchemaNode;
  /** All error responses of the document have it, of more than one status: others are expected to. */
  readonly isShared: boolean;
  readonly members: readonly { readonly name: string; readonly role: ErrorRole }[];
}

/** `status`: the status as a number; `message`: for people; `code`: for machines. */
export type ErrorRole = 'status' | 'message' | 'code' | 'other';

const statusNames = ['status', 'statusCode', 'status_code', 'httpStatus'];
const messageNames = ['message', 'detail', 'description', 'error_description'];
const codeNames = ['code', 'error', 'type'];

/** An error response that has a JSON body. */
interface ErrorBody {
  readonly response: ResponseContract;
  readonly schema: SchemaNode;
}

/**
 * The schema that the JSON bodies of error responses share, looked for through `allOf`, with what
 * its properties stand for. Undefined where no error response has a JSON object.
 */
export function compileErrorShape(
  context: CompileContext,
  operations: readonly Operation[],
): ErrorShape | undefined {
  const bodies = listErrorBodies(operations);
  const parts = bodies.map((body) => listParts(context, body.schema));
  const schema = findShared(parts.flat());
  if (schema === undefined || schema.shape().properties.size === 0) return undefined;
  const shape = schema.shape();
  const errors = listErrorResponses(operations);
  const status = findPinned(shape, bodies) ?? findNamed(shape, statusNames, 'integer');
  const message = findNamed(shape, messageNames, 'string');
  const code = findNamed(shape, codeNames, 'string');
  const roleOf = (name: string): ErrorRole =>
    name === status ? 'status' : name === message ? 'message' : name === code ? 'code' : 'other';
  return {
    schema,
    isShared:
      parts.every((each) => each.some(({ pointer }) => pointer === schema.pointer)) &&
      errors.every(({ content }) => content.length > 0) &&
      // One status says nothing of others: frameworks document none but those of invalid requests.
      errors.some(({ status }) => status === 'default' || status !== errors[0]?.status),
    members: [...shape.properties.keys()].map((name) => ({ name, role: roleOf(name) })),
  };
}

function listErrorBodies(operations: readonly Operation[]): readonly ErrorBody[] {
  const bodies = new Map<string, ErrorBody>();
  for (const response of operations.flatMap(({ responses }) => responses.filter(isErrorResponse))) {
    const schema = response.content.find((content) => isJsonMediaType(content.mediaType))?.schema;
    if (schema !== undefined) bodies.set(response.pointer, { response, schema });
  }
  return [...bodies.values()];
}

/** The definition most bodies are made of; of equals the outermost, and a component first. */
function findShared(parts: readonly SchemaNode[]): SchemaNode | undefined {
  const [most] = [...Map.groupBy(parts, ({ pointer }) => pointer)].toSorted(
    ([left, ofLeft], [right, ofRight]) =>
      ofRight.length - ofLeft.length || rankOf(right) - rankOf(left),
  );
  return most?.[1][0];
}

/** A component before what is elsewhere. */
function rankOf(pointer: string): number {
  return Number(pointer.startsWith('#/components/schemas/'));
}

/** A schema and the definitions that its `allOf` refers to, outermost first. */
function listParts(context: CompileContext, node: SchemaNode): readonly SchemaNode[] {
  const parts = new Map([[node.pointer, node]]);
  for (const { pointer, schema } of parts.values()) {
    const members = isJsonObject(schema) ? listOf(schema['allOf']) : [];
    for (const [index, member] of members.entries()) {
      const part =
        referenceOf(member) === undefined
          ? undefined
          : context.schema(appendPointer(pointer, 'allOf', index));
      if (part !== undefined) parts.set(part.pointer, part);
    }
  }
  return [...parts.values()];
}

/** The integer property that a response holds to its own status by `const`. */
function findPinned(shape: Shape, bodies: readonly ErrorBody[]): string | undefined {
  for (const [name, node] of shape.properties)
    for (const { response, schema } of node.shape().types.includes('integer') ? bodies : []) {
      const values = schema.shape().properties.get(name)?.shape().values;
      if (values?.length === 1 && values[0] === Number(response.status)) return name;
    }
  return undefined;
}

function findNamed(
  { properties }: Shape,
  wanted: readonly string[],
  type: 'integer' | 'string',
): string | undefined {
  return wanted.find((name) => properties.get(name)?.shape().types.includes(type));
}
