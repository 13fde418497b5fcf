import type { Operation, Resource } from '../../contract/index.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * True for a resource that can be served by what is certain alone: it creates items, names them, and
 * gets them. Where an operation is only inferred, such as a POST answered 200, all are served as
 * inferred, so that they share their items.
 */
export function isCertain(resource: Resource, operations: readonly Operation[]): boolean {
  const { collectionPath, itemPath, list, create, get, replace, update, remove } = resource;
  if (create === undefined || get === undefined || givesId(resource)) return false;
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

/** Clients name the items that they create. */
function givesId({ create, idProperty }: Resource): boolean {
  return (create?.requestBody?.content ?? []).some(({ schema }) => {
    const member = schema?.shape().properties.get(idProperty);
    return member !== undefined && !member.shape().readOnly;
  });
}
