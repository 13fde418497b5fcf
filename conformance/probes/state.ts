import { canonicalInteger } from '../../contract/json/number.ts';
import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { statusOf, validIntent, type Exchange } from '../transport/exchange.ts';
import { absentId, itemRequest, validRequest } from './valid-request.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';

/** Reads of single items: one that was there before, some that were added, some that nobody has. */
export function listGetProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const { get, idParameter } = resource;
    if (get === undefined || idParameter === undefined) return [];
    const added = resource.create ? choices.map((each) => addedProbe(resource, get, each)) : [];
    const absent = [absentProbe(resource, get, 'near', 2), absentProbe(resource, get, 'far', 1)];
    return [listedProbe(resource, get), ...added, againProbe(get), ...absent.flat()];
  });
}

/**
 * A read of the identifier that the next item is likely to get, sent before it is added: one that is
 * read later shows a 404 that a cache remembered.
 */
export function listNextProbes(resource: Resource): readonly Probe[] {
  const { get } = resource;
  if (get === undefined) return [];
  return absentProbe(resource, get, 'next', 1).map((probe) => ({ ...probe, phase: 'values' }));
}

function listedProbe(resource: Resource, get: Operation): Probe {
  const readable = requirementId.state(get.id, 'readable');
  return createProbe({
    id: `${get.id}/listed`,
    phase: 'get',
    proves: [requirementId.status(get.id, 200), readable],
    run: async ({ session, known }) => {
      const ids = [...known.found(resource).keys()];
      const id = ids.findLast(losesDigits) ?? ids.at(-1);
      if (id !== undefined)
        await session.send(itemRequest(get, resource, id, validIntent([readable])));
    },
  });
}

/** Which of the added items to read, by the exchange that added them and its body. */
const choices: readonly (readonly [name: string, rank: number, fits: Fits])[] = [
  ['together', 1, ({ group }) => group !== undefined],
  // The first text is of the item that was asked for before it was there.
  ['a hard text', 1, ({ probe }) => probe.includes('/text: ')],
  ['a large number', 1, (_, body) => losesDigits(body)],
  ['any', 2, ({ group }) => group === undefined],
  ['a negative number', 2, (_, body) => /:-\d/.test(body)],
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
      const some = added.find(([each]) => losesDigits(each));
      const [id] = some ?? added.at(name === 'together' ? -1 : 0) ?? [];
      if (id !== undefined)
        await session.send(itemRequest(get, resource, id, validIntent([readable])));
    },
  });
}

/** The item that was read last, again: what a cache makes of it. */
function againProbe(get: Operation): Probe {
  const readable = requirementId.state(get.id, 'readable');
  return createProbe({
    id: `${get.id}/the same again`,
    phase: 'get',
    proves: [requirementId.status(get.id, 200), readable],
    run: async (run) => {
      const last = validRequest(get, run);
      if (last.target !== undefined)
        await run.session.send({ ...last, intent: validIntent([readable]) });
    },
  });
}

/** Which identifier that nothing has. */
type Where = 'near' | 'far' | 'next';

function absentProbe(
  resource: Resource,
  get: Operation,
  where: Where,
  rank: number,
): readonly Probe[] {
  if (!get.responses.some((response) => response.status === '404')) return [];
  const requirement = requirementId.status(get.id, 404);
  return [
    createProbe({
      id: `${get.id}/absent: ${where}`,
      phase: 'get',
      rank,
      proves: [requirement],
      run: async (run) => {
        const seen = seenIds(resource, run);
        const next =
          where === 'next'
            ? nextId(resource, run, seen)
            : where === 'far'
              ? shiftedId(resource, seen)
              : undefined;
        const other = absentId(resource.idParameter, run, seen, where === 'far');
        for (const id of next === undefined ? [other] : [next, other]) {
          const intent = { kind: 'absent', requirement, id } as const;
          const exchange = await run.session.send(itemRequest(get, resource, id, intent));
          if (statusOf(exchange) === 404) return;
        }
      },
    }),
  ];
}

/** One that 32 bits cannot tell from an item that is there; undefined where the document has none. */
function shiftedId({ idParameter }: Resource, seen: readonly string[]): string | undefined {
  const known = seen.find((id) => /^\d{1,15}$/.test(id));
  if (known === undefined) return undefined;
  const shifted = canonicalInteger(BigInt(known) + 2n ** 61n);
  const isValid = idParameter?.schema?.validate(shifted).length === 0;
  return isValid && !seen.includes(String(shifted)) ? String(shifted) : undefined;
}

/** One more than the largest identifier that the run was given; undefined where nothing says that. */
function nextId(resource: Resource, { known }: Run, seen: readonly string[]): string | undefined {
  const given = [...known.added(resource).keys()].filter((id) => /^\d+$/.test(id)).map(BigInt);
  const [largest] = given.toSorted((a, b) => Number(b - a));
  if (largest === undefined) return undefined;
  const next = canonicalInteger(largest + 1n);
  const isValid = resource.idParameter?.schema?.validate(next).length === 0;
  return isValid && !seen.includes(String(next)) ? String(next) : undefined;
}

/** Identifiers of all items seen so far. */
export function seenIds(resource: Resource, { known }: Run): readonly string[] {
  return [...known.listed(resource).keys(), ...known.added(resource).keys()];
}
