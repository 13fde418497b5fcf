import type { Resource } from '../../contract/index.ts';
import { requirementId } from '../../contract/index.ts';
import type { PlanContext, Probe } from './probe.ts';
import type { Request } from '../transport/session.ts';

/**
 * One long list of each resource before anything is added: which items and references there are.
 */
export function listInventoryProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.map((resource) => ({
    id: `${resource.list.id}/inventory`,
    phase: 'inventory',
    rank: 0,
    requests: 1,
    writes: false,
    proves: [
      requirementId.status(resource.list.id, 200),
      `${resource.list.id}/parameter.${resource.limit?.parameter.name ?? ''}.maximum`,
    ],
    run: async ({ session }) => {
      await session.send(longestList(resource));
    },
  }));
}

/** A request for as many items as one list may have. */
export function longestList(
  resource: Resource,
  filters: Readonly<Record<string, string>> = {},
  exercises: readonly string[] = [],
): Request {
  const { limit, list } = resource;
  const most = limit?.maximum ?? 1000;
  const query = limit ? { ...filters, [limit.parameter.name]: String(most) } : filters;
  const edge =
    limit?.maximum === undefined
      ? []
      : [requirementId.parameter(list.id, limit.parameter.name, 'maximum')];
  return {
    operation: list,
    query,
    intent: { kind: 'valid', exercises: [...exercises, ...edge], mayRefuse: [] },
  };
}
