import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { CompileContext } from '../openapi/compile-context.ts';
import type { Operation } from '../openapi/operation.ts';
import { type DocumentNode, nodeAt } from '../source/node.ts';
import { type InferredResource, type InferredRole, inferredRoles } from './resource.ts';

/** What `x-resource` on the path of a collection says. */
export interface ResourceOverrule {
  readonly idProperty: string | undefined;
  /** Name of the query parameter that bounds a page; false: none does. */
  readonly limit: string | false | undefined;
  /** Query parameter to property. */
  readonly filters: ReadonlyMap<string, string> | undefined;
}

/** Reads `x-resource` of a path. `false`: it is not a collection. */
export function readOverrule({ root }: CompileContext, path: string): ResourceOverrule | false {
  const node = root.get('paths')?.get(path)?.get('x-resource');
  const filters = node?.get('filters')?.entries() ?? [];
  const named = filters.flatMap(([name, { value }]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return (
    node?.value !== false && {
      idProperty: node?.text('idProperty'),
      limit: node?.get('limit')?.value === false ? false : node?.text('limit'),
      filters: node?.get('filters') && new Map(named),
    }
  );
}

/** Reads `x-resource-role` of operations. `none`: it has no role. A role that there is not is logged. */
export function readRoles(
  { root, issues }: CompileContext,
  operations: readonly Operation[],
): ReadonlyMap<Operation, InferredRole | 'none'> {
  const roles = [...inferredRoles, 'none'] as const;
  const found = new Map<Operation, InferredRole | 'none'>();
  for (const operation of operations) {
    const node = nodeAt(root, operation.pointer)?.get('x-resource-role');
    const role = roles.find((one) => one === node?.value);
    if (role !== undefined) found.set(operation, role);
    else if (node !== undefined) issues.misuse(node.pointer, `must be one of ${roles.join(', ')}`);
  }
  return found;
}

/** Logs what `x-resource` names and is not there: properties of the items, parameters of the list. */
export function checkOverrules(
  context: CompileContext,
  operations: readonly Operation[],
  resources: readonly InferredResource[],
): void {
  for (const [path, item] of context.root.get('paths')?.entries() ?? []) {
    const node = item.get('x-resource');
    if (node === undefined || node.value === false) continue;
    const list = operations.find((one) => one.path === path && one.method === 'GET');
    const shown = list && resources.find((one) => one.path === path)?.viewOf(list)?.item;
    const parameters = list?.parameters.filter((parameter) => parameter.in === 'query');
    checkMembers(context, node, {
      property: shown && [...shown.shape().properties.keys()],
      'query parameter': parameters?.map(({ name }) => name),
    });
  }
}

/** `known`: the names that there are, where that is known. */
function checkMembers(
  { issues }: CompileContext,
  node: DocumentNode,
  known: Readonly<Record<'property' | 'query parameter', readonly string[] | undefined>>,
): void {
  const check = (kind: keyof typeof known, name: JsonValue, at: string, otherwise = ''): void => {
    if (typeof name !== 'string') issues.misuse(at, `must be the name of a ${kind}${otherwise}`);
    else if (known[kind]?.includes(name) === false)
      issues.misuse(at, `there is no ${kind} ${name}`);
  };
  const { idProperty, limit, filters, ...others } = node.object;
  if (Object.keys(node.object).length === 0)
    issues.misuse(node.pointer, 'must be false, or an object with idProperty, limit or filters');
  for (const name of Object.keys(others))
    issues.misuse(
      node.at(name),
      'is not a member of x-resource; idProperty, limit and filters are',
    );
  if (idProperty !== undefined) check('property', idProperty, node.at('idProperty'));
  if (limit !== undefined && limit !== false)
    check('query parameter', limit, node.at('limit'), ', or false');
  if (filters !== undefined && !isJsonObject(filters))
    issues.misuse(node.at('filters'), 'must map query parameters to properties');
  for (const [name, { value, pointer }] of node.get('filters')?.entries() ?? []) {
    check('query parameter', name, pointer);
    check('property', value, pointer);
  }
}
