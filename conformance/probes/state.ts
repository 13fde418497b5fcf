import * as fc from 'fast-check';
import {
  requirementId,
  successStatus,
  type JsonValue,
  type Operation,
  type Resource,
} from '../../contract/index.ts';
import { arbitraryOf } from '../generate/arbitrary.ts';
import type { Exchange } from '../transport/exchange.ts';
import { lawfulRequest } from './lawful-request.ts';
import type { PlanContext, Probe, Run } from './probe.ts';
import { renderPlain } from '../judge/trace/trace.ts';

/** Reads of single items: one that was there before, some that were added, some that nobody has. */
export function listGetProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const { get, idParameter } = resource;
    if (get === undefined || idParameter === undefined) return [];
    const added =
      resource.create !== undefined
        ? choices.map((choice) => addedProbe(resource, get, choice))
        : [];
    return [listedProbe(resource, get), ...added, ...absentProbes(resource, get)];
  });
}

function getRequest(
  get: Operation,
  resource: Resource,
  id: string,
  exercises: readonly string[],
): Parameters<Run['session']['send']>[0] {
  return {
    operation: get,
    path: { [resource.idParameter?.name ?? 'id']: id },
    intent: { kind: 'valid', exercises, mayRefuse: [] },
  };
}

function listedProbe(resource: Resource, get: Operation): Probe {
  const readable = requirementId.state(get.id, 'readable');
  return {
    id: `${get.id}/listed`,
    phase: 'get',
    rank: 1,
    requests: 1,
    writes: false,
    proves: [requirementId.status(get.id, 200), readable],
    run: async ({ session, known }) => {
      const id = [...known.listed(resource).keys()].at(-1);
      if (id !== undefined) await session.send(getRequest(get, resource, id, [readable]));
    },
  };
}

/**
 * Which of the added items to read: those that were added together, those with numbers beyond a
 * double, those with hard texts, any.
 */
const choices: readonly {
  readonly name: string;
  readonly rank: number;
  readonly fits: (added: Added) => boolean;
}[] = [
  { name: 'together', rank: 1, fits: ({ exchange }) => exchange.group !== undefined },
  {
    name: 'a large number',
    rank: 1,
    fits: ({ exchange }) => losesDigits(exchange.request.body ?? ''),
  },
  {
    name: 'a hard text',
    rank: 1,
    fits: ({ exchange }) => /[^\x20-\x7e]/.test(exchange.request.body ?? ''),
  },
  { name: 'any', rank: 2, fits: ({ exchange }) => exchange.group === undefined },
  {
    name: 'a negative number',
    rank: 3,
    fits: ({ exchange }) => /:-\d/.test(exchange.request.body ?? ''),
  },
  {
    name: 'control characters',
    rank: 3,
    fits: ({ exchange }) => /\\u00[01]/.test(exchange.request.body ?? ''),
  },
  {
    name: 'a long text',
    rank: 3,
    fits: ({ exchange }) => (exchange.request.body ?? '').length > 500,
  },
];

/** An integer stands in it that a double rounds. */
function losesDigits(text: string): boolean {
  return [...text.matchAll(/-?\d{16,}/g)].some(
    ([digits]) => BigInt(Number(digits)) !== BigInt(digits),
  );
}

interface Added {
  readonly id: string;
  readonly exchange: Exchange;
}

function addedProbe(
  resource: Resource,
  get: Operation,
  { name, rank, fits }: (typeof choices)[number],
): Probe {
  const readable = requirementId.state(get.id, 'readable');
  const stored = requirementId.concurrency(resource.create?.id ?? '', 'stored');
  return {
    id: `${get.id}/added: ${name}`,
    phase: 'get',
    rank,
    requests: 1,
    writes: false,
    proves: [requirementId.status(get.id, 200), readable, stored],
    run: async ({ session, known }) => {
      const added = [...known.added(resource)].map(([id, { exchange }]) => ({ id, exchange }));
      const chosen = name === 'together' ? added.findLast(fits) : added.find(fits);
      if (chosen === undefined) return;
      await session.send(getRequest(get, resource, chosen.id, [readable]));
    },
  };
}

function absentProbes(resource: Resource, get: Operation): readonly Probe[] {
  if (!get.responses.some((response) => response.status === '404')) return [];
  const requirement = requirementId.status(get.id, 404);
  return ['near', 'far'].map((where) => ({
    id: `${get.id}/absent: ${where}`,
    phase: 'get' as const,
    rank: 1,
    requests: 1,
    writes: false,
    proves: [requirement],
    run: async (run: Run) => {
      const id = absentId(resource, run, where === 'far');
      await run.session.send({
        operation: get,
        path: { [resource.idParameter?.name ?? 'id']: id },
        intent: { kind: 'absent', requirement, id },
      });
    },
  }));
}

/**
 * An identifier of the right form that no item seen so far has: within 32 bits, or as far out as
 * the form allows.
 */
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
