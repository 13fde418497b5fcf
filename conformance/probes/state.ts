import * as fc from 'fast-check';
import {
  requirementId,
  type JsonValue,
  type Operation,
  type Resource,
} from '../../contract/index.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import { validIntent, type Exchange } from '../transport/exchange.ts';
import { itemRequest, lawfulRequest } from './lawful-request.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { renderPlain, successId } from '../judge/trace/trace.ts';

/** Reads of single items: one that was there before, some that were added, some that nobody has. */
export function listGetProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const { get, idParameter } = resource;
    if (get === undefined || idParameter === undefined) return [];
    const added = resource.create ? choices.map((each) => addedProbe(resource, get, each)) : [];
    return [listedProbe(resource, get), ...added, ...absentProbes(resource, get)];
  });
}

function listedProbe(resource: Resource, get: Operation): Probe {
  const readable = requirementId.state(get.id, 'readable');
  return createProbe({
    id: `${get.id}/listed`,
    phase: 'get',
    proves: [requirementId.status(get.id, 200), readable],
    run: async ({ session, known }) => {
      const id = [...known.listed(resource).keys()].at(-1);
      if (id !== undefined)
        await session.send(itemRequest(get, resource, id, validIntent([readable])));
    },
  });
}

/** Which of the added items to read, by the exchange that added them and its body. */
const choices: readonly (readonly [name: string, rank: number, fits: Fits])[] = [
  ['together', 1, ({ group }) => group !== undefined],
  ['a large number', 1, (_, body) => losesDigits(body)],
  ['a hard text', 1, (_, body) => /\\u00[01]|"  /.test(body)],
  ['any', 2, ({ group }) => group === undefined],
  ['a negative number', 1, (_, body) => /:-\d/.test(body)],
  ['scripts and markup', 3, (_, body) => /[^\x20-\x7e]/.test(body)],
  ['a long text', 3, (_, body) => body.length > 500],
];

type Fits = (exchange: Exchange, body: string) => boolean;

/** An integer stands in it that a double rounds. */
function losesDigits(text: string): boolean {
  return [...text.matchAll(/-?\d{16,}/g)].some(
    ([digits]) => BigInt(Number(digits)) !== BigInt(digits),
  );
}

function addedProbe(
  resource: Resource,
  get: Operation,
  [name, rank, fits]: (typeof choices)[number],
): Probe {
  const readable = requirementId.state(get.id, 'readable');
  const stored = requirementId.concurrency(resource.create?.id ?? '', 'stored');
  return createProbe({
    id: `${get.id}/added: ${name}`,
    phase: 'get',
    rank,
    proves: [requirementId.status(get.id, 200), readable, stored],
    run: async ({ session, known }) => {
      const added = [...known.added(resource)].filter(([, { exchange }]) =>
        fits(exchange, exchange.request.body ?? ''),
      );
      const id = added.at(name === 'together' ? -1 : 0)?.[0];
      if (id !== undefined)
        await session.send(itemRequest(get, resource, id, validIntent([readable])));
    },
  });
}

function absentProbes(resource: Resource, get: Operation): readonly Probe[] {
  if (!get.responses.some((response) => response.status === '404')) return [];
  const requirement = requirementId.status(get.id, 404);
  return ['near', 'far'].map((where) =>
    createProbe({
      id: `${get.id}/absent: ${where}`,
      phase: 'get',
      proves: [requirement],
      run: (run) => {
        const id = absentId(resource, run, where === 'far');
        return run.session.send(
          itemRequest(get, resource, id, { kind: 'absent', requirement, id }),
        );
      },
    }),
  );
}

/** A lawful identifier that no item seen so far has: within 32 bits, or as far as can be. */
function absentId(resource: Resource, { random, known }: Run, far: boolean): string {
  const node = resource.idParameter?.schema;
  const seen = new Set([...known.listed(resource).keys(), ...known.added(resource).keys()]);
  const { types, format } = node?.shape() ?? { types: ['string'], format: undefined };
  const integer = types.some((type) => type === 'integer');
  const most = format === 'int64' ? 2n ** 62n : 2n ** 31n - 1n;
  const numbers = fc
    .bigInt(far ? { min: most / 2n, max: most } : { min: 1_000_000n, max: 2_000_000n })
    .map(String);
  const texts: fc.Arbitrary<JsonValue> = node !== undefined ? arbitraryOf(node) : fc.uuid();
  const candidates = integer
    ? random.sample(numbers, 20, `absent ${far}`)
    : random
        .sample(texts, 50, `absent ${far}`)
        .map(renderPlain)
        .filter((id) => /^[\w-]{3,}$/.test(id));
  return candidates.find((id) => !seen.has(id)) ?? 'none';
}

/** Lawful requests to the operations that neither list, create nor get, removals last. */
export function listChangeProbes({ contract }: PlanContext): readonly Probe[] {
  const covered = new Set(
    contract.resources.flatMap(({ list, create, get }) => [list.id, create?.id, get?.id]),
  );
  const others = contract.operations.filter((operation) => !covered.has(operation.id));
  const { removals = [], rest = [] } = Object.groupBy(others, ({ method }) =>
    method === 'DELETE' ? 'removals' : 'rest',
  );
  return [...rest, ...removals].map(changeProbe);
}

function changeProbe(operation: Operation): Probe {
  return createProbe({
    id: `${operation.id}/plain`,
    phase: 'change',
    writes: operation.method !== 'GET' && operation.method !== 'HEAD',
    proves: [successId(operation)],
    run: (run) => run.session.send({ ...lawfulRequest(operation, run), intent: validIntent() }),
  });
}
