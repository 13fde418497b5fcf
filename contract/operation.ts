import { compileCredential } from './credential.ts';
import { compileDeprecation } from './deprecation.ts';
import { checkOperationIds } from './operation-id.ts';
import { compileParameters } from './parameter.ts';
import { compileRequestBody } from './request-body.ts';
import { compileResponses } from './response.ts';
import type { CompileContext } from './compile-context.ts';
import type { HttpMethod, Operation } from './contract.ts';
import type { DocumentNode } from './document-node.ts';

const METHODS: readonly HttpMethod[] = [
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
];

/** All operations of the document, path by path, in the document's order. */
export function compileOperations(context: CompileContext): readonly Operation[] {
  const operations = (context.root.get('paths')?.entries() ?? [])
    .filter(([path]) => path.startsWith('/'))
    .flatMap(([path, item]) => compilePathItem(context, path, item));
  checkOperationIds(context, operations);
  return operations;
}

function compilePathItem(
  context: CompileContext,
  path: string,
  item: DocumentNode,
): readonly Operation[] {
  return item.entries().flatMap(([name, node]) => {
    const method = METHODS.find((known) => known.toLowerCase() === name);
    return method === undefined ? [] : [compileOperation(context, path, method, item, node)];
  });
}

function compileOperation(
  context: CompileContext,
  path: string,
  method: HttpMethod,
  item: DocumentNode,
  node: DocumentNode,
): Operation {
  return {
    id: node.text('operationId') ?? `${method} ${path}`,
    method,
    path,
    pointer: node.pointer,
    summary: node.text('summary') ?? item.text('summary') ?? '',
    parameters: compileParameters(context, path, item, node),
    requestBody: compileRequestBody(context, node),
    responses: compileResponses(context, node),
    credential: compileCredential(context, node),
    deprecation: compileDeprecation(context, node),
  };
}
