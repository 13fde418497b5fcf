import { requirementId, type Operation, type Resource } from '../../contract/index.ts';
import { boundaryValues } from '../generate/boundary.ts';
import { renderPlain } from '../judge/trace/trace.ts';
import type { PlanContext, Probe } from './probe.ts';
import type { Request } from '../transport/session.ts';

/** A list of each resource before anything is added: which items and references there are. */
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
  const query =
    limit !== undefined ? { ...filters, [limit.parameter.name]: String(most) } : filters;
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

/** Lists after all additions: everything, the default, each filter, the smallest limit. */
export function listParameterProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => [
    listProbe(resource, 'all', 0, longestList(resource), [
      requirementId.state(resource.list.id, 'listed'),
    ]),
    ...defaultProbe(resource),
    ...filterProbes(resource),
    ...limitProbes(resource),
  ]);
}

function listProbe(
  resource: Resource,
  name: string,
  rank: number,
  request: Request,
  proves: readonly string[],
): Probe {
  return {
    id: `${resource.list.id}/list: ${name}`,
    phase: 'list',
    rank,
    requests: 1,
    writes: false,
    proves,
    run: async ({ session }) => {
      await session.send(request);
    },
  };
}

function defaultProbe(resource: Resource): readonly Probe[] {
  const { list, limit } = resource;
  const facet =
    limit && limit.default !== undefined
      ? [requirementId.parameter(list.id, limit.parameter.name, 'default')]
      : [];
  return [listProbe(resource, 'without parameters', 1, lawful(list, {}, facet), facet)];
}

function lawful(
  operation: Operation,
  query: Readonly<Record<string, string>>,
  exercises: readonly string[],
): Request {
  return { operation, query, intent: { kind: 'valid', exercises, mayRefuse: [] } };
}

function filterProbes(resource: Resource): readonly Probe[] {
  const { list, limit } = resource;
  return resource.filters.flatMap(({ parameter }) => {
    const filter = requirementId.parameter(list.id, parameter.name, 'filter');
    const valuesId = requirementId.parameter(list.id, parameter.name, 'values');
    const { values } = parameter.schema.shape();
    const chosen = (values ?? boundaryValues(parameter.schema).slice(0, 2)).map(renderPlain);
    const each = chosen.map((value) => {
      const request = longestList(resource, { [parameter.name]: value }, [
        values !== undefined ? valuesId : filter,
      ]);
      return listProbe(resource, `${parameter.name}=${value}`, 1, request, [filter]);
    });
    const last = chosen.at(-1);
    if (limit === undefined || last === undefined) return each;
    const few = { [parameter.name]: last, [limit.parameter.name]: String(limit.minimum ?? 1) };
    const least = requirementId.parameter(list.id, limit.parameter.name, 'minimum');
    return [
      ...each,
      listProbe(
        resource,
        `${parameter.name}=${last}, smallest limit`,
        1,
        lawful(list, few, values !== undefined ? [least, valuesId] : [least, filter]),
        [filter, least],
      ),
    ];
  });
}

function limitProbes(resource: Resource): readonly Probe[] {
  const { list, limit } = resource;
  if (limit === undefined) return [];
  const name = limit.parameter.name;
  const bound = requirementId.parameter(list.id, name, 'bound');
  const least = requirementId.parameter(list.id, name, 'minimum');
  const smallest = limit.minimum ?? 1;
  const middle = Math.max(smallest, Math.min(3, limit.maximum ?? 3));
  const rank = resource.filters.length === 0 ? 1 : 2;
  return [
    listProbe(
      resource,
      'smallest limit',
      rank,
      lawful(list, { [name]: String(smallest) }, [least]),
      [least],
    ),
    listProbe(resource, 'a small limit', 1, lawful(list, { [name]: String(middle) }, []), [bound]),
  ];
}
