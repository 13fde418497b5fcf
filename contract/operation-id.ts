import type { CompileContext } from './compile-context.ts';
import type { Operation } from './contract.ts';

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
