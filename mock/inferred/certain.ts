import type { Operation, Resource } from '../../contract/index.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * True for a resource whose operations are all certain. Where one of them is only inferred, such as a
 * POST answered 200, all are served as inferred, so that they share their items.
 */
export function isCertain(resource: Resource, operations: readonly Operation[]): boolean {
  const { collectionPath, itemPath, list, create, get, replace, update, remove } = resource;
  const certain = new Set([list, create, get, replace, update, remove]);
  return operations
    .filter(({ path }) => path === collectionPath || path === itemPath)
    .filter(({ method, path }) => methods.has(method) && isUsual(method, path === itemPath))
    .every((operation) => certain.has(operation));
}

/** Methods that a certain resource has a role for. */
function isUsual(method: string, isOfItem: boolean): boolean {
  return isOfItem ? method !== 'POST' : method === 'GET' || method === 'POST';
}
