import { requirementId, type Operation, type Resource } from '../../contract/index.ts';
import { validIntent, type Exchange } from '../transport/exchange.ts';
import { absentId, itemRequest } from './lawful-request.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';

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
      const some = added.find(([each]) => losesDigits(each));
      const [id] = some ?? added.at(name === 'together' ? -1 : 0) ?? [];
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
        const seen = seenIds(resource, run);
        const id = absentId(resource.idParameter, run, seen, where === 'far');
        return run.session.send(
          itemRequest(get, resource, id, { kind: 'absent', requirement, id }),
        );
      },
    }),
  );
}

/** Identifiers of all items seen so far. */
export function seenIds(resource: Resource, { known }: Run): readonly string[] {
  return [...known.listed(resource).keys(), ...known.added(resource).keys()];
}
