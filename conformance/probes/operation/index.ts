import { isOpenIdentifier } from '../../../contract/requirement/reachable-responses.ts';
import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { writes } from '../../transport/target.ts';
import { absentId, validRequest } from '../valid-request.ts';
import { type PlanContext, type Probe, createProbe, NothingToSend } from '../probe.ts';
import { listBodyProbes } from './bodies.ts';
import { listGeneralOperations } from './covered.ts';
import { listValidProbes } from './valid.ts';
import { listBrokenParameterProbes, listParameterValueProbes } from './parameters.ts';

/** What is sent to operations of which nothing but their own description is known. */
export function listOperationProbes(context: PlanContext): readonly Probe[] {
  return [
    ...listValidProbes(context),
    ...listBodyProbes(context),
    ...listAbsentProbes(context),
    ...listParameterValueProbes(context),
    ...listBrokenParameterProbes(context),
  ];
}

/** A request for what nothing has the identifier of, where the document has a 404 for that. */
function listAbsentProbes({ contract }: PlanContext): readonly Probe[] {
  return listGeneralOperations(contract).flatMap((operation) => {
    const requirement = requirementId.status(operation.id, 404);
    const last = operation.parameters.findLast((parameter) => parameter.in === 'path');
    if (contract.requirementOf(requirement) === undefined || last === undefined) return [];
    return isOpenIdentifier(last) ? [absentProbe(operation, last, requirement)] : [];
  });
}

function absentProbe(operation: Operation, last: Parameter, requirement: string): Probe {
  return createProbe({
    id: `${operation.id}/absent`,
    phase: 'invalid',
    rank: 2,
    writes: writes(operation),
    proves: [requirement],
    run: async (run) => {
      if (operation.method === 'PUT' && !run.disposable)
        throw new NothingToSend('it may create an item that it does not find');
      const { target: _target, ...request } = validRequest(operation, run);
      const id = absentId(last, run, [], true);
      const path = { ...run.paths.choose(operation).path, [last.name]: id };
      const intent = { kind: 'absent', requirement, id } as const;
      await run.session.send({ ...request, path, intent });
    },
  });
}
