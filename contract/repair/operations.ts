import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  wordOf,
} from '../json/value.ts';
import { followReference } from '../source/node.ts';
import { Cursor, type Repair } from './cursor.ts';
import { methods } from './operation.ts';

interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Cursor;
  /** The path item, which several paths may share by reference. */
  readonly item: Cursor;
}

/**
 * Repairs what depends on several parts of the document: operations that match the same requests or
 * have the same id, path parameters, and security requirements.
 */
export function repairOperations(repair: Repair): void {
  const operations = listOperations(repair);
  repairSameOperations(operations);
  const seen = new Set<JsonObject>();
  for (const { path, operation, item } of operations) {
    for (const holder of [item, operation]) {
      if (seen.has(holder.object)) continue;
      seen.add(holder.object);
      keepUsedParameters(holder, path);
    }
    addPathParameters(operation, item, path);
  }
  repairSecurity(new Cursor(repair.document, '#', repair));
  for (const { operation } of operations) repairSecurity(operation);
}

/** Operations in the document's order, references to path items followed. */
function listOperations(repair: Repair): readonly PlacedOperation[] {
  const { paths } = repair.document;
  if (!isJsonObject(paths)) return [];
  const operations: PlacedOperation[] = [];
  const root = new Cursor(paths, '#/paths', repair);
  for (const path of Object.keys(paths)) {
    const value = follow(root, paths[path], path);
    if (!path.startsWith('/') || !isJsonObject(value)) continue;
    const item = root.inside(value, path);
    const add = (holder: Cursor, method: string): void => {
      const operation = follow(holder, holder.object[method], method);
      if (isJsonObject(operation))
        operations.push({ path, method, operation: holder.inside(operation, method), item });
    };
    for (const method of methods) add(item, method);
    const { additionalOperations: additional } = value;
    if (!isJsonObject(additional)) continue;
    for (const method of Object.keys(additional))
      add(item.inside(additional, 'additionalOperations'), method);
  }
  return operations;
}

/** A member with its references followed. */
function follow(
  cursor: Cursor,
  value: JsonValue | undefined,
  ...tokens: readonly (string | number)[]
): JsonValue | undefined {
  if (!isJsonObject(value) || value['$ref'] === undefined) return value;
  return followReference(cursor.repair.document, { pointer: cursor.at(...tokens), value }).value;
}

function repairSameOperations(operations: readonly PlacedOperation[]): void {
  const routes = new Map<string, string>();
  const ids = new Map<string, PlacedOperation>();
  for (const placed of operations) {
    const { path, operation } = placed;
    const method = placed.method.toUpperCase();
    const route = `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
    const rival = routes.get(route);
    if (rival === undefined) routes.set(route, path);
    else
      operation.fix(
        'warning',
        undefined,
        `${method} ${path} matches the same requests as ${rival}`,
        'Give it another path; it serves the requests that fit its path parameters better.',
      );
    const { operationId: id } = operation.object;
    if (typeof id !== 'string') continue;
    const twin = ids.get(id);
    if (twin === undefined) {
      ids.set(id, placed);
      continue;
    }
    const reason = `operationId ${id} is also that of ${twin.method.toUpperCase()} ${twin.path}`;
    const remedy = `Give it another id; it is known as ${method} ${path}.`;
    operation.fix('warning', undefined, reason, remedy);
    if (operation.object !== twin.operation.object) operation.remove('operationId');
  }
}

function namesIn(path: string): readonly string[] {
  return [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))];
}

/** Removes path parameters that the path does not have, and parameters that are described twice. */
function keepUsedParameters(holder: Cursor, path: string): void {
  const { parameters } = holder.object;
  if (!isJsonArray(parameters)) return;
  const names = namesIn(path);
  const list = holder.inside(parameters, 'parameters');
  const keys = new Set<string>();
  list.filter((value, index) => {
    const parameter = follow(holder, value, 'parameters', index);
    if (!isJsonObject(parameter)) return false;
    const { in: place, name: text } = parameter;
    const name = wordOf(text);
    const key = `${wordOf(place)} ${place === 'header' ? name.toLowerCase() : name}`;
    const reason = keys.has(key)
      ? `the ${wordOf(place)} parameter ${name} is described twice`
      : place === 'path' && !names.includes(name)
        ? `the path parameter ${name} is not in the path ${path}`
        : undefined;
    if (reason !== undefined) list.fix('warning', index, reason, 'Remove it; it is ignored.');
    else keys.add(key);
    return reason === undefined;
  });
}

function addPathParameters(operation: Cursor, item: Cursor, path: string): void {
  const described = new Set<JsonValue | undefined>();
  for (const holder of [item, operation]) {
    const { parameters } = holder.object;
    for (const [index, value] of (isJsonArray(parameters) ? parameters : []).entries()) {
      const parameter = follow(holder, value, 'parameters', index);
      if (isJsonObject(parameter) && parameter['in'] === 'path') described.add(parameter['name']);
    }
  }
  for (const name of namesIn(path)) {
    if (described.has(name)) continue;
    const reason = `the path parameter ${name} of ${path} is not described`;
    const remedy = 'Describe it; until then any string is accepted.';
    operation.fix('warning', undefined, reason, remedy);
    const { parameters } = operation.object;
    const added = { name, in: 'path', required: true, schema: { type: 'string' } };
    operation.set('parameters', [...(isJsonArray(parameters) ? parameters : []), added]);
  }
}

/** Removes requirements of security schemes that the document does not describe. */
function repairSecurity(holder: Cursor): void {
  const { security } = holder.object;
  if (!isJsonArray(security) || security.length === 0) return;
  const { components } = holder.repair.document;
  const described = isJsonObject(components) ? components['securitySchemes'] : undefined;
  const schemes = new Set(Object.keys(isJsonObject(described) ? described : {}));
  const list = holder.inside(security, 'security');
  list.filter((requirement, index) => {
    const missing = isJsonObject(requirement)
      ? Object.keys(requirement).filter((name) => !schemes.has(name))
      : [];
    for (const name of missing)
      list
        .inside({}, index)
        .fix(
          'error',
          name,
          `there is no security scheme ${name}`,
          'Describe it in components.securitySchemes; until then this requirement is ignored.',
        );
    return missing.length === 0;
  });
  if (security.length === 0 && holder.pointer === '#') holder.remove('security');
}
