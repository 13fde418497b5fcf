import { appendPointer } from '../json/pointer.ts';
import { listUnaddressable } from './constant-parameter.ts';
import { compileSecurity, type Security } from './credential.ts';
import { compileDeprecation, type Deprecation } from './deprecation.ts';
import { compileParameters, type Parameter } from './parameter.ts';
import { listMethods } from './method.ts';
import { compileContent, type MediaType } from './media-type.ts';
import { compileResponses, type ResponseContract } from './response.ts';
import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../source/node.ts';

export interface Operation extends Security {
  /** `operationId`, or `METHOD /path` where the document gives none. */
  readonly id: string;
  /** In capitals, but as written in `additionalOperations`: `GET`, `COPY`. */
  readonly method: string;
  /** Path template relative to the base path: `/pets/{petId}`. */
  readonly path: string;
  readonly pointer: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly ResponseContract[];
  readonly deprecation: Deprecation | undefined;
  /** False where no request can mean it: its path has a query or fragment and nothing else tells. */
  readonly isAddressable: boolean;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaType[];
  readonly pointer: string;
}

/** All operations of the document, path by path, in the document's order. */
export function compileOperations(context: CompileContext): readonly Operation[] {
  const operations = (context.root.get('paths')?.entries() ?? [])
    .filter(([path]) => path.startsWith('/'))
    .flatMap(([path, item]) => compilePathItem(context, path, item));
  const unaddressable = listUnaddressable(operations);
  for (const { path } of unaddressable)
    context.issues.warn(
      appendPointer('#/paths', path),
      `${path} is not a path`,
      'Describe it together with the others of this path, or add a required header or query parameter with one value, because a path has no query or fragment: the mock chooses one of them, and the suite sends no request to it.',
    );
  return unaddressable.size === 0
    ? operations
    : operations.map((operation) =>
        unaddressable.has(operation) ? { ...operation, isAddressable: false } : operation,
      );
}

function compilePathItem(
  context: CompileContext,
  path: string,
  item: DocumentNode,
): readonly Operation[] {
  return [...listMethods(item)].map(([method, node]) =>
    compileOperation(context, path, method, item, node),
  );
}

function compileOperation(
  context: CompileContext,
  path: string,
  method: string,
  item: DocumentNode,
  node: DocumentNode,
): Operation {
  return {
    id: node.text('operationId') ?? `${method} ${path}`,
    method,
    path,
    pointer: node.pointer,
    summary: node.text('summary') ?? item.text('summary') ?? '',
    parameters: compileParameters(context, item, node),
    requestBody: compileRequestBody(context, node, method),
    responses: compileResponses(context, node),
    ...compileSecurity(context, node),
    deprecation: compileDeprecation(context, node),
    isAddressable: true,
  };
}

/** Their bodies mean nothing (RFC 9110 section 9.3), and many clients cannot send one: none is required. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/** The request body of an operation. */
export function compileRequestBody(
  context: CompileContext,
  operation: DocumentNode,
  method = 'POST',
): RequestBody | undefined {
  const body = operation.get('requestBody');
  return (
    body && {
      required: body.flag('required') && !bodiless.has(method),
      content: compileContent(context, body),
      pointer: body.pointer,
    }
  );
}
