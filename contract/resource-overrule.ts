import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from './document-node.ts';

/** What `x-resource` on a collection's path item says, where it says it. False: the path is no resource. */
export interface ResourceOverrule {
  readonly idProperty: string | undefined;
  /** Name of the query parameter that bounds a page; false: none does. */
  readonly limit: string | false | undefined;
  /** Query parameter to property. */
  readonly filters: ReadonlyMap<string, string> | undefined;
}

const NOTHING: ResourceOverrule = { idProperty: undefined, limit: undefined, filters: undefined };

/** Reads `x-resource`: false, or an object with `idProperty`, `limit` and `filters`, each optional. */
export function readResourceOverrule(context: CompileContext, path: string): ResourceOverrule | false {
  const item = context.root.get('paths')?.get(path);
  const node = item?.get('x-resource');
  if (node === undefined) return NOTHING;
  if (node.value === false) return false;
  for (const name of Object.keys(node.object)) {
    if (!['idProperty', 'limit', 'filters'].includes(name)) context.issues.error(node.at(name), 'x-resource has idProperty, limit and filters only');
  }
  return { idProperty: node.text('idProperty'), limit: node.get('limit')?.value === false ? false : node.text('limit'), filters: readFilters(node) };
}

function readFilters(node: DocumentNode): ReadonlyMap<string, string> | undefined {
  const filters = node.get('filters');
  if (filters === undefined) return undefined;
  return new Map(filters.entries().flatMap(([name, { value }]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}
