import type { Contract } from '../../contract/contract.ts';
import { canonicalInteger } from '../../contract/json/number.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource, PageLimit } from '../../contract/resource/resource.ts';
import { requirementsOf } from '../family/requirements.ts';
import { isOpenIdentifier } from '../family/status.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { itemResourceOf, itemsOf, parentOf, renderPlain, successId } from '../judge/trace/trace.ts';
import { statusOf, validIntent, type Exchange } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { isMadeByPut } from './known-items.ts';
import {
  absentId,
  itemPath,
  lastParameter,
  ownBody,
  plainRequest,
  readBack,
  seenIds,
  validRequest,
  variantRequest,
  writersOf,
  ownItem,
} from './requests.ts';
import { boundaryValues } from '../generate/arbitrary.ts';
import { limitId } from '../judge/trace/collection.ts';
import { countListed, pageTurnOf, type PageTurn } from '../judge/trace/next-page.ts';
import { readTrace } from '../family/read-trace.ts';

/** Which of the added items to read, by the exchange that added them and its body. */
const choices: readonly (readonly [name: string, rank: number, fits: Fits])[] = [
  ['together', 1, ({ group }) => group !== undefined],
  // The item with the first text was requested before it existed.
  ['a hard text', 1, ({ probe }) => probe.includes('/text: ')],
  ['a large number', 1, (_, body) => losesDigits(body)],
  ['any', 2, ({ group }) => group === undefined],
  ['a negative number', 2, (_, body) => /:-\d/.test(body)],
  ['scripts and markup', 3, (_, body) => /[^\x20-\x7e]/.test(body)],
  ['a long text', 3, (_, body) => body.length > 500],
];

type Fits = (exchange: Exchange, body: string) => boolean;

/** Whether a text contains an integer that a double rounds. */
function losesDigits(text: string): boolean {
  return [...text.matchAll(/-?\d{16,}/g)].some(
    ([digits]) => BigInt(Number(digits)) !== BigInt(digits),
  );
}

/** Reads of single items: an existing one, some that were added, and some that do not exist. */
export function listGetProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const { get, idParameter } = resource;
    if (get === undefined || idParameter === undefined) return [];
    const readable = requirementId.state(get.id, 'readable');
    const [create] = writersOf(contract)(resource);
    const probe = (
      name: string,
      run: Probe['run'],
      rank = 1,
      proves: readonly string[] = [],
    ): Probe =>
      createProbe(get, name, {
        phase: isMadeByPut(get, contract) ? 'change' : 'get',
        rank,
        proves: [requirementId.status(get.id, 200), readable, ...proves],
        run,
      });
    const stored = create ? [requirementId.concurrency(create.operation.id, 'stored')] : [];
    return [
      probe('listed', async (run) => {
        const found = [...run.known.found(resource)];
        // Of optional members, the item that has most shows most.
        const full = found.toSorted(([, one], [, other]) => sizeOf(one) - sizeOf(other)).at(-1);
        const [id] = found.findLast(([each]) => losesDigits(each)) ?? full ?? [];
        if (id !== undefined) await readBack(run, resource, id);
        // Few documents list all items; an example may name another one.
        else if (contract.openQuestions.length === 0)
          await run.session.send(plainRequest(get, run));
      }),
      ...(create ? choices : []).map(([name, rank, fits]) =>
        probe(
          `added: ${name}`,
          async (run) => {
            const added = [...run.known.added(resource)].filter(([, { exchange }]) =>
              fits(exchange, exchange.request.body ?? ''),
            );
            const some = added.find(([each]) => losesDigits(each));
            const [id] = some ?? added.at(name === 'together' ? -1 : 0) ?? [];
            if (id !== undefined) await readBack(run, resource, id);
          },
          rank,
          stored,
        ),
      ),
      // Shows what a cache returns.
      probe('the same again', async (run) => {
        const last = validRequest(get, run);
        if (last.target !== undefined)
          await run.session.send({ ...last, intent: validIntent([readable]) });
      }),
      ...absentProbes(contract, get, 'near', { phase: 'get', rank: 2 }),
      ...absentProbes(contract, get, 'far', { phase: 'get' }),
    ];
  });
}

/** Number of members. */
function sizeOf(item: JsonObject): number {
  return Object.keys(item).length;
}

/** Which unused identifier to request: near the existing ones, far from them, or the next one. */
type Where = 'near' | 'far' | 'next';

/** The requirement that an operation returns 404 for a missing item; undefined if it has none. */
export function notFoundOf(
  contract: Contract,
  operation: Operation | undefined,
): string | undefined {
  return operation && requirementsOf(contract).get(requirementId.status(operation.id, 404))?.id;
}

/**
 * Requests unused identifiers until one gets the 404 that it must: reads, changes and removals of
 * items, and operations outside of resources. None if the document has no 404 for that, or lists
 * all identifiers.
 */
export function absentProbes(
  contract: Contract,
  operation: Operation | undefined,
  where: Where,
  more: Pick<Probe, 'phase'> & Partial<Probe>,
): readonly Probe[] {
  const requirement = notFoundOf(contract, operation);
  const parameter = operation && lastParameter(operation);
  if (!operation || requirement === undefined || !parameter || !isOpenIdentifier(parameter))
    return [];
  const resource = itemResourceOf(contract, operation);
  const probe = createProbe(operation, `absent: ${where}`, {
    proves: [requirement],
    run: async (run) => {
      // Known items, and ids that were requested before.
      const asked = run.session.exchanges.flatMap(({ intent }) =>
        intent.kind === 'absent' ? [intent.id] : [],
      );
      const taken = resource === undefined ? [] : [...seenIds(resource, run), ...asked];
      // If identifiers are cut to 32 bits, this is another item, which must not be changed.
      const likely = resource && !writes(operation) ? likelyId(where, resource, run) : undefined;
      const isFree = likely !== undefined && !taken.includes(`${likely}`);
      const isUsable = isFree && parameter.schema.isValid(likely);
      const other = absentId(parameter, run, taken, where === 'far');
      for (const id of isUsable ? [`${likely}`, other] : [other]) {
        const request = absentRequest(run, operation, id);
        if (request !== undefined && statusOf(await run.session.send(request)) === 404) return;
      }
    },
    ...more,
  });
  return [probe];
}

/** A request for a missing item; undefined if the operation documents no 404. */
export function absentRequest(
  run: Run,
  operation: Operation | undefined,
  id: string,
): Request | undefined {
  const { contract, known } = run;
  const requirement = notFoundOf(contract, operation);
  if (operation === undefined || requirement === undefined) return undefined;
  const intent = { kind: 'absent', requirement, id } as const;
  const resource = itemResourceOf(contract, operation);
  const path = resource
    ? itemPath(resource, id)
    : { ...known.choose(operation).path, [lastParameter(operation)?.name ?? '']: id };
  const writers = resource ? writersOf(contract)(resource) : [];
  const changer = writers.find((each) => each.operation === operation);
  return changer
    ? { ...variantRequest(changer, run, {}, path), intent }
    : { operation, path, ...ownBody(operation), intent };
}

/**
 * `far`: equal to an existing identifier in its low 32 bits. `next`: one more than the largest
 * identifier that the run received. Undefined if no identifier is known.
 */
function likelyId(where: Where, resource: Resource, run: Run): number | bigint | undefined {
  const isFar = where === 'far';
  if (where === 'near') return undefined;
  const numbers = (isFar ? seenIds(resource, run) : [...run.known.added(resource).keys()])
    .filter((id) => (isFar ? /^\d{1,15}$/ : /^\d+$/).test(id))
    .map(BigInt);
  if (!isFar) numbers.sort((a, b) => Number(b - a));
  const [first] = numbers;
  return first === undefined ? undefined : canonicalInteger(first + (isFar ? 2n ** 61n : 1n));
}

/**
 * Lists each resource before anything is added, to learn which items and references exist. Nested
 * resources get a parent of the run's own first.
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

/** The allowed size that is nearest to a wanted one; undefined if none is found. */
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
  const size = candidates.find((each) => schema.isValid(each));
  return size === undefined ? undefined : String(size);
}

/** Lists after all additions: everything, the default, each filter, the smallest limit. */
export function listParameterProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => [
    ...listLists(resource),
    ...otherParentProbe(contract, resource),
  ]);
}

/** Lists the items of another parent than that which has those of the run. */
function otherParentProbe(contract: Contract, resource: Resource): readonly Probe[] {
  const { list, parents } = resource;
  const id = requirementId.state(list.id, 'own-parent');
  const parent = parentOf(contract, resource);
  if (parent === undefined || !requirementsOf(contract).has(id)) return [];
  const probe = createProbe(list, 'list: of another parent', {
    phase: 'list',
    writes: true,
    requests: 2,
    proves: [id],
    run: async (run) => {
      const other = await ownItem(run, parent, 'stay');
      if (other === undefined) return;
      const path = { ...run.known.within(resource).path, [parents.at(-1) ?? '']: other };
      await run.session.send({ ...longestList(resource), path });
    },
  });
  return [probe];
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
  for (const { parameter, property } of filters) {
    const { name, schema } = parameter;
    const filter = requirementId.parameter(list.id, name, 'filter');
    const { values } = schema.shape();
    const exercised = values ? requirementId.parameter(list.id, name, 'values') : filter;
    const chosen = (values ?? boundaryValues(schema).slice(0, 2)).map(renderPlain);
    if (values === undefined)
      yield createProbe(list, `list: ${name} of an item`, {
        phase: 'list',
        proves: [filter],
        run: async ({ known, session }) => {
          const added = [...known.added(resource).values()].map(({ item }) => item);
          const value = [...known.found(resource).values(), ...added]
            .map((item) => item[property] ?? '')
            .find((each) => each !== '' && schema.isValid(each));
          if (value === undefined) return;
          await session.send(longestList(resource, { [name]: renderPlain(value) }, [filter]));
        },
      });
    const last = chosen.at(-1);
    if (limit !== undefined && last !== undefined) {
      const few = shortestList(resource, { [name]: last }, [least, exercised]);
      yield probe(`${name}=${last}, smallest limit`, few, [filter, least]);
    }
    for (const value of chosen) {
      const request = longestList(resource, { [name]: value }, [exercised]);
      // The value that was sent with the smallest limit can wait.
      const isLater = limit !== undefined && value === last;
      yield probe(`${name}=${value}`, request, [...new Set([filter, exercised])], {
        rank: isLater ? 2 : 1,
        isPart: values !== undefined && !isLater,
      });
    }
  }
  if (limit !== undefined)
    yield probe('smallest limit', shortestList(resource, {}, [least]), [least]);
  const middle = Math.max(limit?.minimum ?? 1, Math.min(3, limit?.maximum ?? 3));
  const few = limitedList(resource, middle, {}, []);
  const turn = pageTurnOf(resource);
  if (turn !== undefined) yield nextPageProbe(resource, turn, few);
  else if (limit !== undefined) yield probe('a small limit', few, [], { rank: 2 });
}

/** A small page and the one after it, if an earlier list shows that there are more items than that. */
function nextPageProbe(resource: Resource, turn: PageTurn, few: Request): Probe {
  const { list } = resource;
  const { name, schema } = turn.parameter;
  const next = requirementId.parameter(list.id, name, 'next');
  return createProbe(list, 'list: the next page', {
    phase: 'list',
    requests: 2,
    proves: [next],
    run: async ({ session, contract }) => {
      const query = { [turn.size.name]: '3', ...few.query };
      const listsIn = (exchanges: readonly Exchange[]) =>
        readTrace(contract, exchanges)
          .of(list)
          .filter(({ isServed }) => isServed);
      const [first] = listsIn([await session.send({ ...few, query })]);
      const value = first && turn.after(first);
      if (first === undefined || value === undefined) return;
      const size = itemsOf(first)?.length ?? 0;
      // A page that may not exist is not asked for.
      const isThere = size > 1 && countListed(turn, listsIn(session.exchanges)) > 2 * size;
      const sent = [value, Number(value)].some((each) => schema.isValid(each));
      if (!isThere || !sent) return;
      const request = { ...few, query: { ...query, [name]: value }, intent: validIntent([next]) };
      // Twice, if the first time shows nothing new.
      for (let turns = 0; turns < 2; turns += 1) {
        const [second] = listsIn([await session.send(request)]);
        if (second === undefined || !turn.repeats(first, second)) return;
      }
    },
  });
}
