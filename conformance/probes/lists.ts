import type { PageLimit, Resource } from '../../contract/resource/resource.ts';
import { boundaryValues } from '../generate/arbitrary.ts';
import { limitId } from '../judge/trace/collection.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { parentOf, renderPlain, successId } from '../judge/trace/trace.ts';
import { validIntent } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { createProbe, type PlanContext, type Probe } from './probe.ts';
import { ownBody, ownItem, writersOf } from './requests.ts';

/**
 * A list of each resource before anything is added: which items and references there are. What lies
 * within an item gets one of the run's own first.
 */
export function listInventoryProbes({ contract }: PlanContext): readonly Probe[] {
  const first = { phase: 'inventory', rank: 0 } as const;
  return contract.resources.flatMap((resource) => {
    const { list } = resource;
    const inventory = createProbe(list, 'inventory', {
      ...first,
      proves: [requirementId.status(list.id, 200), limitId(resource, 'maximum')],
      run: ({ session }) => session.send(longestList(resource)),
    });
    const parent = parentOf(contract, resource);
    const [create] = parent === undefined ? [] : writersOf(contract)(parent);
    if (parent === undefined || create === undefined) return [inventory];
    const within = createProbe(list, 'what it is within', {
      ...first,
      writes: true,
      proves: [successId(create.operation)],
      run: async (run) => {
        if (!run.known.isGiven(list)) await ownItem(run, parent, 'parent');
      },
    });
    return [within, inventory];
  });
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
  return contract.resources.flatMap((resource) => [...listLists(resource)]);
}

function* listLists(resource: Resource): Generator<Probe> {
  const { list, limit, filters } = resource;
  const probe = (
    name: string,
    request: Request,
    proves: readonly string[],
    more: Partial<Probe> = {},
  ): Probe => {
    const isLimited = limit !== undefined && request.query?.[limit.parameter.name] !== undefined;
    return createProbe(list, `list: ${name}`, {
      phase: 'list',
      proves: isLimited ? [...proves, limitId(resource, 'bound')] : proves,
      run: ({ session }) => session.send(request),
      ...more,
    });
  };
  const listed = requirementId.state(list.id, 'listed');
  yield probe('all', longestList(resource), [listed], { rank: 0 });
  const usual = limit?.default === undefined ? [] : [limitId(resource, 'default')];
  const bare = { operation: list, query: {}, intent: validIntent(usual), ...ownBody(list) };
  yield probe('without parameters', bare, usual);
  const least = limitId(resource, 'minimum');
  for (const { parameter } of filters) {
    const { name, schema } = parameter;
    const filter = requirementId.parameter(list.id, name, 'filter');
    const { values } = schema.shape();
    const exercised = values ? requirementId.parameter(list.id, name, 'values') : filter;
    const chosen = (values ?? boundaryValues(schema).slice(0, 2)).map(renderPlain);
    const last = chosen.at(-1);
    if (limit !== undefined && last !== undefined) {
      const few = shortestList(resource, { [name]: last }, [least, exercised]);
      yield probe(`${name}=${last}, smallest limit`, few, [filter, least]);
    }
    for (const value of chosen) {
      const request = longestList(resource, { [name]: value }, [exercised]);
      // What the smallest limit was tested with can wait.
      const isLater = limit !== undefined && value === last;
      yield probe(`${name}=${value}`, request, [...new Set([filter, exercised])], {
        rank: isLater ? 2 : 1,
        isPart: values !== undefined && !isLater,
      });
    }
  }
  if (limit === undefined) return;
  yield probe('smallest limit', shortestList(resource, {}, [least]), [least]);
  const middle = Math.max(limit.minimum ?? 1, Math.min(3, limit.maximum ?? 3));
  yield probe('a small limit', limitedList(resource, middle, {}, []), [], { rank: 2 });
}
