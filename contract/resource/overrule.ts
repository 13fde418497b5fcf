import { isJsonObject, type JsonValue } from '../json/value.ts';
import { type DocumentNode, nodeAt } from '../source/node.ts';
import type { DiagnosticLog } from '../source/diagnostic-log.ts';
import type { Operation } from '../openapi/operation.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { InferredRole } from './resource.ts';

const roles: readonly InferredRole[] = [
  ...(['list', 'create', 'get', 'replace', 'update', 'remove'] as const),
  ...(['action', 'view', 'bulk'] as const),
];

/** What `x-resource` on the path of a collection says. */
export interface ResourceOverrule {
  readonly idProperty: string | undefined;
  /** Name of the query parameter that bounds a page; false: none does. */
  readonly limit: string | false | undefined;
  /** Query parameter to property. */
  readonly filters: ReadonlyMap<string, string> | undefined;
}

const nothing: ResourceOverrule = { idProperty: undefined, limit: undefined, filters: undefined };

/** What the extensions of a document say in place of what would be inferred. */
export interface Overrules {
  /** `x-resource` at a path. `false`: it is not a collection. */
  ofPath(path: string): ResourceOverrule | false;
  /** `x-resource-role` of an operation; `none`: it has no role. */
  roleOf(operation: Operation): InferredRole | 'none' | undefined;
}

/** Reads `x-resource` of paths, and `x-resource-role` of operations. */
export function readOverrules(root: DocumentNode): Overrules {
  const paths = root.get('paths');
  return {
    ofPath(path) {
      const node = paths?.get(path)?.get('x-resource');
      if (node === undefined) return nothing;
      if (node.value === false) return false;
      const filters = node
        .get('filters')
        ?.entries()
        .flatMap(([name, { value }]) =>
          typeof value === 'string' ? [[name, value] as const] : [],
        );
      return {
        idProperty: node.text('idProperty'),
        limit: node.get('limit')?.value === false ? false : node.text('limit'),
        filters: filters && new Map(filters),
      };
    },
    roleOf({ pointer }) {
      const text = nodeAt(root, pointer)?.text('x-resource-role');
      return text === 'none' ? text : roles.find((role) => role === text);
    },
  };
}

/** Logs extensions that say nothing that can be followed. `itemOf`: the items of a path's list. */
export function checkOverrules(
  { root, issues }: { readonly root: DocumentNode; readonly issues: DiagnosticLog },
  operations: readonly Operation[],
  itemOf: (path: string) => SchemaNode | undefined,
): void {
  const overrules = readOverrules(root);
  for (const operation of operations) {
    const node = nodeAt(root, operation.pointer);
    if (node?.object['x-resource-role'] !== undefined && overrules.roleOf(operation) === undefined)
      issues.error(node.at('x-resource-role'), `must be one of ${[...roles, 'none'].join(', ')}`);
  }
  for (const [path, item] of root.get('paths')?.entries() ?? []) {
    const node = item.get('x-resource');
    if (node === undefined || node.value === false) continue;
    const list = operations.find((one) => one.path === path && one.method === 'GET');
    checkMembers(issues, node, list, itemOf(path));
  }
}

/** Whatever is named has to exist: properties of the items, query parameters of the list. */
function checkMembers(
  issues: DiagnosticLog,
  node: DocumentNode,
  list: Operation | undefined,
  item: SchemaNode | undefined,
): void {
  const { idProperty, limit, filters, ...others } = node.object;
  if (Object.keys(node.object).length === 0)
    issues.error(node.pointer, 'must be false, or an object with idProperty, limit or filters');
  for (const name of Object.keys(others))
    issues.error(node.at(name), 'is not a member of x-resource; idProperty, limit and filters are');
  const checkProperty = (name: JsonValue, pointer: string): void => {
    if (typeof name !== 'string') issues.error(pointer, 'must be the name of a property');
    else if (list !== undefined && item?.shape().properties.has(name) === false)
      issues.error(pointer, `there is no property ${name}`);
  };
  const checkParameter = (name: string, pointer: string): void => {
    const known = list?.parameters.filter((parameter) => parameter.in === 'query');
    if (known?.every((parameter) => parameter.name !== name) === true)
      issues.error(pointer, `there is no query parameter ${name}`);
  };
  if (idProperty !== undefined) checkProperty(idProperty, node.at('idProperty'));
  if (typeof limit === 'string') checkParameter(limit, node.at('limit'));
  else if (limit !== undefined && limit !== false)
    issues.error(node.at('limit'), 'must be the name of a query parameter, or false');
  if (filters !== undefined && !isJsonObject(filters))
    issues.error(node.at('filters'), 'must map query parameters to properties');
  for (const [name, { value, pointer }] of node.get('filters')?.entries() ?? []) {
    checkParameter(name, pointer);
    checkProperty(value, pointer);
  }
}
