import { requirementId, successStatus, type Operation } from '../../contract/index.ts';
import type { PlanContext, Probe } from './probe.ts';
import { lawfulRequest } from './credential.ts';

/**
 * Lawful requests to the operations that neither list, create nor get: replace, update and remove
 * an added item, and operations of no resource.
 */
export function listChangeProbes({ contract }: PlanContext): readonly Probe[] {
  const covered = new Set(
    contract.resources.flatMap(({ list, create, get }) => [list.id, create?.id, get?.id]),
  );
  const others = contract.operations.filter((operation) => !covered.has(operation.id));
  return others.toSorted((a, b) => Number(isRemoval(a)) - Number(isRemoval(b))).map(changeProbe);
}

function isRemoval(operation: Operation): boolean {
  return operation.method === 'DELETE';
}

function changeProbe(operation: Operation): Probe {
  const status = requirementId.status(operation.id, successStatus(operation)?.status ?? '200');
  return {
    id: `${operation.id}/plain`,
    phase: 'change',
    rank: 1,
    requests: 1,
    writes: operation.method !== 'GET' && operation.method !== 'HEAD',
    proves: [status],
    run: async (run) => {
      await run.session.send({
        ...lawfulRequest(operation, run),
        intent: { kind: 'valid', exercises: [], mayRefuse: [] },
      });
    },
  };
}
