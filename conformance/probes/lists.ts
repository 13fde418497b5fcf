import { requirementId } from '../judge/trace/requirement.ts';
import type { PageLimit, Resource } from '../../contract/resource/resource.ts';
import { boundaryValues } from '../generate/arbitrary.ts';
import { limitId } from '../judge/trace/collection.ts';
import { parentOf, renderPlain, successId } from '../judge/trace/trace.ts';
import type { Contract } from '../../contract/contract.ts';
import { ownItem, writersOf } from './requests.ts';
import { validIntent } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { createProbe, type PlanContext, type Probe } from './probe.ts';
import { ownBody } from './requests.ts';

/**
 * A list of each resource before anything is added: which items and references there are. What lies
 * within an item gets one of the run's own first.
 */
export function listInventoryProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => [
    ...parentProbe(contract, resource),
    createProbe({
      id: `${resource.list.id}/inventory`,
      phase: 'inventory',
      rank: 0,
      proves: [requirementId.status(resource.list.id, 200), limitId(resource, 'maximum')],
      run: ({ session }) => session.send(longestList(resource)),
    }),
  ]);
}

function parentProbe(contract: Contract, resource: Resource): readonly Probe[] {
  const parent = parentOf(contract, resource);
  const [create] = parent === undefined ? [] : writersOf(contract)(parent);
  if (parent === undefined || create === undefined) return [];
  return [
    createProbe({
      id: `${resource.list.id}/what it is within`,
      phase: 'inventory',
      rank: 0,
      writes: true,
      proves: [successId(create.operation)],
      run: async (run) => {
        if (!run.known.isGiven(resource.list)) await ownItem(run, parent, 'parent');
      },
    }),
  ];
}

type Query = Readonly<Record<string, string>>;

/** A request for as many items as one list may have. */
export function longestList(
  resource: Resource,
  filters: Query = {},
  exercises: readonly string[] = [],
): Request {
  const { limit } = resource;
  const maximum = limit?.maximum;
  const isSent = limit && maximum !== undefined && nearestSize(limit, maximum) === String(maximum);
  const edge = isSent === true ? [limitId(resource, 'maximum')] : [];
  return limitedList(resource, maximum ?? 1000, filters, [...exercises, ...edge]);
}

/** A request for as few items as one list may have. */
export function shortestList(
  resource: Resource,
  filters: Query = {},
  exercises: readonly string[] = [],
): Request {
  return limitedList(resource, resource.limit?.minimum ?? 1, filters, exercises);
}

function limitedList(
  { list, limit }: Resource,
  most: number,
  filters: Query,
  exercises: readonly string[],
): Request {
  const size = limit && nearestSize(limit, most);
  const query = size === undefined ? filters : { ...filters, [limit?.parameter.name ?? '']: size };
  return { operation: list, query, intent: validIntent(exercises), ...ownBody(list) };
}

/** The size next to a wanted one that the limit's schema allows; undefined where none is found. */
export function nearestSize(
  { parameter: { schema } }: PageLimit,
  wanted: number,
): string | undefined {
  const { values = [], multipleOf: step = 1 } = schema.shape();
  const listed = values.map(Number).toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  const candidates = [
    wanted,
    ...listed,
    step * Math.floor(wanted / step),
    step * Math.ceil(wanted / step),
  ];
  const size = candidates.find((each) => schema.validate(each).length === 0);
  return size === undefined ? undefined : String(size);
}

/** Lists after all additions: everything, the default, each filter, the smallest limit. */
export function listParameterProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const listed = requirementId.state(resource.list.id, 'listed');
    return [
      { ...listProbe(resource, 'all', longestList(resource), [listed]), rank: 0 },
      defaultProbe(resource),
      ...filterProbes(resource),
      ...limitProbes(resource),
    ];
  });
}

function listProbe(
  resource: Resource,
  name: string,
  request: Request,
  proves: readonly string[],
): Probe {
  const { limit } = resource;
  const isLimited = limit !== undefined && request.query?.[limit.parameter.name] !== undefined;
  return createProbe({
    id: `${request.operation.id}/list: ${name}`,
    phase: 'list',
    proves: isLimited ? [...proves, limitId(resource, 'bound')] : proves,
    run: ({ session }) => session.send(request),
  });
}

function defaultProbe(resource: Resource): Probe {
  const facet = resource.limit?.default === undefined ? [] : [limitId(resource, 'default')];
  const { list } = resource;
  const request = { operation: list, query: {}, intent: validIntent(facet), ...ownBody(list) };
  return listProbe(resource, 'without parameters', request, facet);
}

function filterProbes(resource: Resource): readonly Probe[] {
  const { list, limit, filters } = resource;
  return filters.flatMap(({ parameter: { name, schema } }) => {
    const filter = requirementId.parameter(list.id, name, 'filter');
    const { values } = schema.shape();
    const exercised = values ? requirementId.parameter(list.id, name, 'values') : filter;
    const chosen = (values ?? boundaryValues(schema).slice(0, 2)).map(renderPlain);
    const each = chosen.map((value) => {
      const request = longestList(resource, { [name]: value }, [exercised]);
      const proves = [...new Set([filter, exercised])];
      return {
        ...listProbe(resource, `${name}=${value}`, request, proves),
        isPart: values !== undefined,
      };
    });
    const last = chosen.at(-1);
    if (limit === undefined || last === undefined) return each;
    const least = limitId(resource, 'minimum');
    const few = shortestList(resource, { [name]: last }, [least, exercised]);
    return [
      listProbe(resource, `${name}=${last}, smallest limit`, few, [filter, least]),
      ...each.slice(0, -1),
      ...each.slice(-1).map((probe) => ({ ...probe, rank: 2, isPart: false })),
    ];
  });
}

function limitProbes(resource: Resource): readonly Probe[] {
  const { limit } = resource;
  if (limit === undefined) return [];
  const least = limitId(resource, 'minimum');
  const middle = Math.max(limit.minimum ?? 1, Math.min(3, limit.maximum ?? 3));
  const few = limitedList(resource, middle, {}, []);
  return [
    listProbe(resource, 'smallest limit', shortestList(resource, {}, [least]), [least]),
    { ...listProbe(resource, 'a small limit', few, []), rank: 2 },
  ];
}
