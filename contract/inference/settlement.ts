import type { Operation } from '../openapi/operation.ts';
import type { InferredRole } from './inferred-resource.ts';
import type { CollectionPaths } from './paths.ts';
import type { RoleByPath } from './role.ts';

interface Group {
  readonly paths: CollectionPaths;
  readonly roles: readonly RoleByPath[];
}

const ranks: Readonly<Record<InferredRole, number>> = {
  create: 6,
  get: 5,
  replace: 5,
  update: 5,
  remove: 5,
  list: 4,
  bulk: 3,
  action: 2,
  view: 1,
};

/**
 * Gives each operation to one collection: `GET /owners/{owner}` may get an item of `/owners`, or list
 * what is at `/owners/{owner}/{name}`.
 */
export function settleRoles(groups: readonly Group[]): readonly Group[] {
  const best = new Map<Operation, { readonly group: Group; readonly rank: number }>();
  for (const group of groups)
    for (const { operation, role } of group.roles) {
      const rank = rankOf(role, group.paths);
      const rival = best.get(operation);
      if (rival === undefined || rank > rival.rank) best.set(operation, { group, rank });
    }
  return groups.map((group) => ({
    paths: group.paths,
    roles: group.roles.filter(({ operation }) => best.get(operation)?.group === group),
  }));
}

/** Items of a path without operations of its own are less certain. */
function rankOf(role: InferredRole, { ofCollection }: CollectionPaths): number {
  const isOfItem = ranks[role] === ranks.get;
  return isOfItem && ofCollection.length === 0 ? ranks.list - 0.5 : ranks[role];
}
