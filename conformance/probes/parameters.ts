import type { Contract } from '../../contract/contract.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import { isBreakable } from '../family/status.ts';
import { requirementId, type ParameterFacet } from '../judge/trace/requirement.ts';
import { validIntent } from '../transport/exchange.ts';
import { isCarried } from '../transport/request-parts.ts';
import { writes } from '../transport/target.ts';
import { listGeneralOperations, phaseOf, shownByRefusal } from './general.ts';
import { createProbe, type PlanContext, type Probe } from './probe.ts';
import { asValid, describe, plainRequest, validRequest } from './requests.ts';

/** Each limit and each listed value of each query parameter, alone. */
export function listParameterValueProbes({ contract }: PlanContext): readonly Probe[] {
  const general = new Set(listGeneralOperations(contract));
  return contract.operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query' && !isOfList(contract, operation, parameter))
      .flatMap((parameter) =>
        validValues(parameter).map(([facet, value], index) => {
          const requirement = requirementId.parameter(operation.id, parameter.name, facet);
          const values = new Map([[parameter, value]]);
          return createProbe({
            id: `${operation.id}/parameter: ${parameter.name}=${describe(value)}`,
            phase: phaseOf(operation, contract),
            rank: facet === 'values' && index > 0 ? 4 : 2,
            writes: writes(operation),
            proves: [requirement],
            isPart: facet === 'values',
            run: async (run) => {
              if (!isCarried(parameter, value) || parameter.schema.validate(value).length > 0)
                return;
              const request = general.has(operation)
                ? asValid(plainRequest(operation, run), [requirement])
                : { operation, intent: validIntent([requirement]) };
              await run.session.send({ ...request, values });
            },
          });
        }),
      ),
  );
}

/** The parameters of the list of a resource have probes that look at what is listed. */
function isOfList({ resources }: Contract, operation: Operation, parameter: Parameter): boolean {
  return resources.some(
    ({ list, limit, filters }) =>
      list.id === operation.id &&
      (limit?.parameter === parameter || filters.some((filter) => filter.parameter === parameter)),
  );
}

/** Values that a parameter has to take, each with the facet that says so. */
function validValues({ schema }: Parameter): readonly (readonly [ParameterFacet, JsonValue])[] {
  const found: [ParameterFacet, JsonValue][] = [];
  for (const facet of ['minimum', 'maximum'] as const) {
    const value = extremeOf(schema, facet);
    if (value !== undefined) found.push([facet, value]);
  }
  for (const value of schema.shape().values ?? []) found.push(['values', value]);
  return found;
}

/**
 * A query parameter with a text that is not a value of it, where the document announces refusals. Few
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
    if (proves.length === 0) return [];
    const way = `an invalid \`${parameter.name}\``;
    const probe = createProbe({
      id: `${operation.id}/unspecified: ${way}`,
      phase: 'invalid',
      rank: 3,
      writes: writes(operation),
      proves,
      run: async (run) => {
        const { target: _target, ...request } = validRequest(operation, run);
        const query = { ...request.query, [parameter.name]: 'no-such-value' };
        await run.session.send({ ...request, query, intent: { kind: 'unspecified', way } });
      },
    });
    return [probe];
  });
}
