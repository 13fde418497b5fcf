import { compileCredential, type Credential } from './credential.ts';
import { compileDeprecation, type Deprecation } from './deprecation.ts';
import { compileParameters, type Parameter } from './parameter.ts';
import { compileRequestBody, type RequestBody } from './request-body.ts';
import { compileResponses, type ResponseContract } from './response.ts';
import type { CompileContext } from './compile-context.ts';

import type { DocumentNode } from '../document/node.ts';

export type HttpMethod = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE';

export interface Operation {
  /** `operationId`, or `METHOD /path` where the document gives none. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Path template relative to the base path: `/pets/{petId}`. */
  readonly path: string;
  readonly pointer: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly ResponseContract[];
  readonly credential: Credential;
  readonly deprecation: Deprecation | undefined;
}

const methods: readonly HttpMethod[] = [
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
    const method = methods.find((known) => known.toLowerCase() === name);
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

/** Ids must be unique, and so must paths that differ only in the names of their parameters. */
export function checkOperationIds(context: CompileContext, operations: readonly Operation[]): void {
  const ids = new Map<string, Operation>();
  const routes = new Map<string, Operation>();
  for (const operation of operations) {
    const twin = ids.get(operation.id);
    if (twin !== undefined)
      context.issues.error(
        operation.pointer,
        `operationId ${operation.id} is also that of ${twin.method} ${twin.path}`,
      );
    ids.set(operation.id, operation);
    const route = `${operation.method} ${operation.path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
    const rival = routes.get(route);
    if (rival !== undefined)
      context.issues.error(
        operation.pointer,
        `${operation.method} ${operation.path} matches the same requests as ${rival.path}`,
      );
    routes.set(route, operation);
  }
}
