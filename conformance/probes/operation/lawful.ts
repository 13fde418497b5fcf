import type { Contract, Operation, Requirement } from '../../../contract/index.ts';
import { once } from '../../memo/once.ts';
import { successId } from '../../judge/trace/trace.ts';
import { writes } from '../lawful-request.ts';
import { createProbe, type Phase, type PlanContext, type Probe } from '../probe.ts';
import { listGeneralOperations } from './covered.ts';
import { asValid, plainRequest } from './request.ts';

/**
 * One lawful request to each operation of which nothing but its own description is known: first what
 * shows and makes things, from the shortest paths on, then what changes them, then what removes them.
 */
export function listLawfulProbes({ contract }: PlanContext): readonly Probe[] {
  const operations = listGeneralOperations(contract);
  const sorted = operations.toSorted(
    (one, other) => depthOf(one) - depthOf(other) || turnOf(one) - turnOf(other),
  );
  const removals = sorted.filter(({ method }) => method === 'DELETE').toReversed();
  return [...sorted.filter(({ method }) => method !== 'DELETE'), ...removals].map((operation) =>
    createProbe({
      id: `${operation.id}/plain`,
      phase: phaseOf(operation),
      rank: 0,
      writes: writes(operation),
      proves: shownBySuccess(contract, operation),
      run: (run) => run.session.send(asValid(plainRequest(operation, run))),
    }),
  );
}

/** Parameters in the path: what has fewer is asked first. */
function depthOf({ path }: Operation): number {
  return path.split('{').length - 1;
}

/** Lists show what is there, then additions make more. */
function turnOf({ method }: Operation): number {
  return method === 'GET' ? 0 : method === 'POST' ? 1 : 2;
}

/** In which phase a lawful request to an operation goes. */
export function phaseOf({ method }: Operation): Phase {
  if (method === 'DELETE') return 'remove';
  return method === 'PUT' || method === 'PATCH' ? 'change' : 'create';
}

/** The requirements that a lawful request shows, if it is served. */
function shownBySuccess(contract: Contract, operation: Operation): readonly string[] {
  const success = successId(operation);
  const status = success.slice(success.lastIndexOf('.') + 1);
  return (requirementsByOperation(contract).get(operation.id) ?? [])
    .filter(({ subject }) =>
      subject.kind === 'robustness'
        ? true
        : (subject.kind === 'status' ||
            subject.kind === 'header' ||
            (subject.kind === 'body' && subject.part !== 'error')) &&
          subject.status === status,
    )
    .map(({ id }) => id);
}

/** The requirements of each operation. */
export const requirementsByOperation = once(
  ({ requirements }: Contract): ReadonlyMap<string, readonly Requirement[]> =>
    Map.groupBy(requirements, ({ operation }) => operation),
);
