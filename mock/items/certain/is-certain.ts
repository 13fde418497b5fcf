import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * True for a resource that can be served by what is certain alone: it creates items, names them, and
 * gets them. Where an operation is only inferred, such as a POST answered 200, all are served as
 * inferred, so that they share their items; so is a PUT that may add an item. `operationsOf`: the
 * operations of a path.
 */
export function isCertain(
  resource: Resource,
  operationsOf: (path: string) => readonly Operation[],
): boolean {
  const { collectionPath, itemPath, list, create, get, replace, update, remove } = resource;
  if (create === undefined || get === undefined || givesId(resource)) return false;
  if (replace?.responses.some(({ status }) => status === '201') === true) return false;
  if (![create, replace, update].every((operation) => sendsItems(operation, resource)))
    return false;
  const certain = new Set([list, create, get, replace, update, remove]);
  return [collectionPath, ...(itemPath === undefined ? [] : [itemPath])]
    .flatMap(operationsOf)
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

/** What a client sends is, as it is sent, part of an item: an item holds no more of it. */
function sendsItems(operation: Operation | undefined, { item }: Resource): boolean {
  return (operation?.requestBody?.content ?? []).every(
    (content) => content.schema === undefined || areMembers(content.schema, item, 0),
  );
}

const mostDepth = 6;

function areMembers(sent: SchemaNode, item: SchemaNode, depth: number): boolean {
  if (sent.pointer === item.pointer || depth > mostDepth) return true;
  const { properties, required } = item.shape();
  return [...sent.shape().properties].every(([name, member]) => {
    const shown = properties.get(name);
    if (shown === undefined) return true;
    const isRemovable = !required.has(name) || takesNull(shown) || !takesNull(member);
    return isRemovable && isPart(member, shown, depth + 1);
  });
}

function takesNull(schema: SchemaNode): boolean {
  return schema.shape().types.includes('null');
}

function isPart(sent: SchemaNode, shown: SchemaNode, depth: number): boolean {
  if (sent.pointer === shown.pointer || depth > mostDepth) return true;
  const [from, to] = [sent.shape(), shown.shape()];
  if (from.alternatives.length > 0)
    return from.alternatives.some((each) => isPart(each, shown, depth + 1));
  if (from.items !== undefined && to.items !== undefined)
    return isPart(from.items, to.items, depth + 1);
  return (
    [...to.required].every((name) => from.required.has(name)) && areMembers(sent, shown, depth)
  );
}
