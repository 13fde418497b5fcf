import type { IssueLog } from '../source/issue-log.ts';
import type { CompileContext } from '../openapi/compile-context.ts';
import type { Operation } from '../openapi/operation.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { DocumentNode } from '../source/node.ts';

/** What `x-resource` on a collection's path item says, where it says it. */
export interface ResourceOverrule {
  readonly idProperty: string | undefined;
  /** Name of the query parameter that bounds a page; false: none does. */
  readonly limit: string | false | undefined;
  /** Query parameter to property. */
  readonly filters: ReadonlyMap<string, string> | undefined;
}

const nothing: ResourceOverrule = { idProperty: undefined, limit: undefined, filters: undefined };

/** Reads `x-resource`: false, or an object with `idProperty`, `limit` and `filters`. */
export function readResourceOverrule(
  context: CompileContext,
  list: Operation,
  item: SchemaNode | undefined,
): ResourceOverrule | false {
  const node = context.root.get('paths')?.get(list.path)?.get('x-resource');
  if (node === undefined) return nothing;
  if (node.value === false) return false;
  checkMembers(context.issues, node);
  checkNames(context.issues, node, list, item);
  const limit = node.get('limit')?.value === false ? false : node.text('limit');
  return { idProperty: node.text('idProperty'), limit, filters: readFilters(context.issues, node) };
}

function checkMembers(issues: IssueLog, node: DocumentNode): void {
  const { idProperty, limit, filters, ...others } = node.object;
  if (Object.keys(node.object).length === 0)
    issues.error(node.pointer, 'must be false, or an object with idProperty, limit or filters');
  for (const name of Object.keys(others))
    issues.error(node.at(name), 'is no member of x-resource: idProperty, limit and filters are');
  if (idProperty !== undefined && typeof idProperty !== 'string')
    issues.error(node.at('idProperty'), 'must be the name of a property');
  if (limit !== undefined && limit !== false && typeof limit !== 'string')
    issues.error(node.at('limit'), 'must be the name of a query parameter, or false');
  if (filters !== undefined && typeof filters !== 'object')
    issues.error(node.at('filters'), 'must map query parameters to properties');
}

/** Whatever is named must be there: properties of the items, query parameters of the list. */
function checkNames(
  issues: IssueLog,
  node: DocumentNode,
  list: Operation,
  item: SchemaNode | undefined,
): void {
  const checkProperty = (name: string | undefined, pointer: string): void => {
    // Of items in envelopes only the inference by evidence knows the members.
    if (name !== undefined && item?.shape().properties.has(name) === false)
      issues.error(pointer, `there is no property ${name}`);
  };
  const checkParameter = (name: string | undefined, pointer: string): void => {
    const isThere = list.parameters.some(
      (parameter) => parameter.in === 'query' && parameter.name === name,
    );
    if (name !== undefined && !isThere)
      issues.error(pointer, `there is no query parameter ${name}`);
  };
  checkProperty(node.text('idProperty'), node.at('idProperty'));
  checkParameter(node.text('limit'), node.at('limit'));
  const filters = node.get('filters');
  for (const [name, { pointer }] of filters?.entries() ?? []) {
    checkParameter(name, pointer);
    checkProperty(filters?.text(name), pointer);
  }
}

function readFilters(issues: IssueLog, node: DocumentNode): ResourceOverrule['filters'] {
  const filters = node.get('filters');
  if (filters === undefined) return undefined;
  return new Map(
    filters.entries().flatMap(([name, { value, pointer }]) => {
      if (typeof value === 'string') return [[name, value] as const];
      issues.error(pointer, 'must be the name of a property');
      return [];
    }),
  );
}
