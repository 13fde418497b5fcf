import { listOf, type JsonObject, type JsonValue, wordOf } from '../json/value.ts';
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
  const root = new Cursor(repair.document, '#', repair);
  const operations = listOperations(root);
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
  const described = root.follow('components')?.follow('securitySchemes')?.object ?? {};
  const schemes = new Set(Object.keys(described));
  repairSecurity(root, schemes);
  for (const { operation } of operations) repairSecurity(operation, schemes);
}

/** Operations in the document's order, references to path items followed. */
function listOperations(root: Cursor): readonly PlacedOperation[] {
  const operations: PlacedOperation[] = [];
  const paths = root.follow('paths');
  for (const path of Object.keys(paths?.object ?? {})) {
    const item = path.startsWith('/') ? paths?.follow(path) : undefined;
    if (item === undefined) continue;
    const add = (holder: Cursor | undefined, method: string): void => {
      const operation = holder?.follow(method);
      if (operation !== undefined) operations.push({ path, method, operation, item });
    };
    for (const method of methods) add(item, method);
    const additional = item.follow('additionalOperations');
    for (const method of Object.keys(additional?.object ?? {})) add(additional, method);
  }
  return operations;
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
      operation.report(
        'ambiguous-path',
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
    const message = `operationId ${id} is also that of ${twin.method.toUpperCase()} ${twin.path}`;
    const fix = `Give it another id; it is known as ${method} ${path}.`;
    operation.report('duplicate-id', undefined, message, fix);
    if (operation.object !== twin.operation.object) operation.remove('operationId');
  }
}

function namesIn(path: string): readonly string[] {
  return [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))];
}

/** Removes path parameters that the path does not have, and parameters that are described twice. */
function keepUsedParameters(holder: Cursor, path: string): void {
  const names = namesIn(path);
  const keys = new Set<string>();
  const list = holder.list('parameters');
  list?.filter((_value, index) => {
    const parameter = list.follow(index)?.object;
    if (parameter === undefined) return false;
    const [place, name] = [wordOf(parameter['in']), wordOf(parameter['name'])];
    const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`;
    const message = keys.has(key)
      ? `the ${place} parameter ${name} is described twice`
      : place === 'path' && !names.includes(name)
        ? `the path parameter ${name} is not in the path ${path}`
        : undefined;
    if (message !== undefined)
      list.report('unused-parameter', index, message, 'Remove it; it is ignored.');
    else keys.add(key);
    return message === undefined;
  });
}

function addPathParameters(operation: Cursor, item: Cursor, path: string): void {
  const described = new Set<JsonValue | undefined>();
  for (const holder of [item, operation]) {
    const list = holder.list('parameters');
    for (const index of list?.object.keys() ?? []) {
      const { in: place, name } = list?.follow(index)?.object ?? {};
      if (place === 'path') described.add(name);
    }
  }
  for (const name of namesIn(path)) {
    if (described.has(name)) continue;
    const message = `the path parameter ${name} of ${path} is not described`;
    const fix = 'Describe it; until then any string is accepted.';
    operation.report('undescribed-parameter', undefined, message, fix);
    const added = { name, in: 'path', required: true, schema: { type: 'string' } };
    operation.set('parameters', [...listOf(operation.object['parameters']), added]);
  }
}

/** Removes requirements of security schemes that the document does not describe. */
function repairSecurity(holder: Cursor, schemes: ReadonlySet<string>): void {
  const list = holder.list('security');
  if (list === undefined || list.object.length === 0) return;
  list.filter((requirement, index) => {
    const missing = Object.keys(Object(requirement)).filter((name) => !schemes.has(name));
    for (const name of missing)
      list
        .inside({}, index)
        .report(
          'unknown-security-scheme',
          name,
          `there is no security scheme ${name}`,
          'Describe it in components.securitySchemes; until then this requirement is ignored.',
        );
    return missing.length === 0;
  });
  if (list.object.length === 0 && holder.pointer === '#') holder.remove('security');
}
