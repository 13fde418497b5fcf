import type { DocumentNode } from '../source/node.ts';
import type { IssueLog } from '../source/issue-log.ts';
import type { Operation } from '../openapi/operation.ts';
import type { InferredRole } from './inferred-resource.ts';

const roles: readonly InferredRole[] = [
  ...(['list', 'create', 'get', 'replace', 'update', 'remove'] as const),
  ...(['action', 'view', 'bulk'] as const),
];

/** What the extensions of a document say in place of what would be inferred. */
export interface Overrules {
  /** `x-resource: false` at the path of a collection: it is none. */
  isNone(path: string): boolean;
  /** `idProperty` of `x-resource`. */
  idProperty(path: string): string | undefined;
  /** `x-resource-role` of an operation; `none`: it has no role. */
  roleOf(operation: Operation): InferredRole | 'none' | undefined;
}

/** Reads `x-resource` of paths, and `x-resource-role` of operations. */
export function readOverrules(root: DocumentNode): Overrules {
  const paths = root.get('paths');
  const extensionOf = (path: string): DocumentNode | undefined =>
    paths?.get(path)?.get('x-resource');
  return {
    isNone: (path) => extensionOf(path)?.value === false,
    idProperty: (path) => extensionOf(path)?.text('idProperty'),
    roleOf({ path, method }) {
      const text = paths?.get(path)?.get(method.toLowerCase())?.text('x-resource-role');
      return text === 'none' ? text : roles.find((role) => role === text);
    },
  };
}

/** Logs roles that there are not. */
export function checkRoles(
  { root, issues }: { readonly root: DocumentNode; readonly issues: IssueLog },
  operations: readonly Operation[],
): void {
  const overrules = readOverrules(root);
  for (const operation of operations) {
    const { path, method } = operation;
    const node = root.get('paths')?.get(path)?.get(method.toLowerCase());
    if (node?.object['x-resource-role'] !== undefined && overrules.roleOf(operation) === undefined)
      issues.error(node.at('x-resource-role'), `must be one of ${[...roles, 'none'].join(', ')}`);
  }
}
