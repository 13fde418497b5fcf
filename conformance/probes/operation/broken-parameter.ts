import {
  isBreakable,
  refusalStatus,
  type Operation,
  type Parameter,
} from '../../../contract/index.ts';
import { writes } from '../../transport/target.ts';
import { lawfulRequest } from '../lawful-request.ts';
import { createProbe, type PlanContext, type Probe } from '../probe.ts';
import { listGeneralOperations } from './covered.ts';
import { shownByRefusal } from './shown.ts';

/**
 * A query parameter with a text that is no value of it, where the document announces refusals. Few
 * documents say that this is one: the response is judged, and not that there is one.
 */
export function listBrokenParameterProbes({ contract }: PlanContext): readonly Probe[] {
  const isAll = contract.openQuestions.length === 0;
  const operations = isAll ? contract.operations : listGeneralOperations(contract);
  return operations.flatMap((operation) => {
    const status = refusalStatus(operation);
    const parameter = operation.parameters.find(isBreakable);
    if (status === undefined || parameter === undefined) return [];
    const proves = shownByRefusal(contract, operation, status);
    return proves.length === 0 ? [] : [brokenProbe(operation, parameter, proves)];
  });
}

function brokenProbe(operation: Operation, parameter: Parameter, proves: readonly string[]): Probe {
  const way = `an invalid \`${parameter.name}\``;
  return createProbe({
    id: `${operation.id}/unspecified: ${way}`,
    phase: 'invalid',
    rank: 3,
    writes: writes(operation),
    proves,
    run: async (run) => {
      const { target: _target, ...request } = lawfulRequest(operation, run);
      const query = { ...request.query, [parameter.name]: 'no-such-value' };
      await run.session.send({ ...request, query, intent: { kind: 'unspecified', way } });
    },
  });
}
