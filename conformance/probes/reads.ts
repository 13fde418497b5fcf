import type { Contract } from '../../contract/contract.ts';
import { canonicalInteger } from '../../contract/json/number.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { statusOf, validIntent, type Exchange } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import {
  absentId,
  absentRequest,
  asValid,
  notFoundOf,
  plainRequest,
  readBack,
  seenIds,
  validRequest,
  writersOf,
  type Writer,
} from './requests.ts';

/** Reads of single items: one that was there before, some that were added, some that nobody has. */
export function listGetProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const { get, idParameter } = resource;
    if (get === undefined || idParameter === undefined) return [];
    const [create] = writersOf(contract)(resource);
    return [
      listedProbe(resource, get),
      ...(create ? choices.map((each) => addedProbe(create, get, each)) : []),
      againProbe(get),
      ...absentRead(contract, resource, 'near', 2),
      ...absentRead(contract, resource, 'far', 1),
    ];
  });
}

function readProbe(
  get: Operation,
  name: string,
  probe: Pick<Probe, 'run'> & Partial<Probe>,
): Probe {
  const { proves = [], ...rest } = probe;
  return createProbe({
    id: `${get.id}/${name}`,
    phase: 'get',
    proves: [requirementId.status(get.id, 200), requirementId.state(get.id, 'readable'), ...proves],
    ...rest,
  });
}

function listedProbe(resource: Resource, get: Operation): Probe {
  return readProbe(get, 'listed', {
    run: async (run) => {
      const ids = [...run.known.found(resource).keys()];
      const id = ids.findLast(losesDigits) ?? ids.at(-1);
      if (id !== undefined) await readBack(run, resource, id);
      // Few documents have all their items in lists: an example may name one.
      else if (run.contract.openQuestions.length === 0)
        await run.session.send(asValid(plainRequest(get, run)));
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

/** Whether a text contains an integer that a double rounds. */
function losesDigits(text: string): boolean {
  return [...text.matchAll(/-?\d{16,}/g)].some(
    ([digits]) => BigInt(Number(digits)) !== BigInt(digits),
  );
}

function addedProbe(
  { resource, operation }: Writer,
  get: Operation,
  [name, rank, fits]: (typeof choices)[number],
): Probe {
  return readProbe(get, `added: ${name}`, {
    rank,
    proves: [requirementId.concurrency(operation.id, 'stored')],
    run: async (run) => {
      const added = [...run.known.added(resource)].filter(([, { exchange }]) =>
        fits(exchange, exchange.request.body ?? ''),
      );
      const some = added.find(([each]) => losesDigits(each));
      const [id] = some ?? added.at(name === 'together' ? -1 : 0) ?? [];
      if (id !== undefined) await readBack(run, resource, id);
    },
  });
}

/** The item that was read last, again: what a cache makes of it. */
function againProbe(get: Operation): Probe {
  return readProbe(get, 'the same again', {
    run: async (run) => {
      const last = validRequest(get, run);
      const intent = validIntent([requirementId.state(get.id, 'readable')]);
      if (last.target !== undefined) await run.session.send({ ...last, intent });
    },
  });
}

/** Sends requests for one identifier after another, until one gets the 404 that it has to. */
export function absentProbe(
  operation: Operation,
  requirement: string,
  name: string,
  probe: Pick<Probe, 'phase'> & Partial<Probe>,
  listRequests: (run: Run) => Iterable<Request | undefined>,
): Probe {
  return createProbe({
    id: `${operation.id}/${name}`,
    writes: writes(operation),
    proves: [requirement],
    run: async (run) => {
      for (const request of listRequests(run))
        if (request !== undefined && statusOf(await run.session.send(request)) === 404) return;
    },
    ...probe,
  });
}

/** Where the identifier is that nothing has: just behind those that are there, far off, or the next one. */
type Where = 'near' | 'far' | 'next';

/**
 * A read of the identifier that the next item is likely to get, sent before it is added: one that is
 * read later shows a 404 that a cache remembered.
 */
export function listNextProbes(contract: Contract, resource: Resource): readonly Probe[] {
  return absentRead(contract, resource, 'next', 1).map((probe) => ({ ...probe, phase: 'values' }));
}

function absentRead(
  contract: Contract,
  resource: Resource,
  where: Where,
  rank: number,
): readonly Probe[] {
  const { get, idParameter } = resource;
  const requirement = notFoundOf(contract, get);
  if (get === undefined || idParameter === undefined || requirement === undefined) return [];
  const probe = { phase: 'get', rank } as const;
  return [
    absentProbe(get, requirement, `absent: ${where}`, probe, function* listRequests(run) {
      const seen = seenIds(resource, run);
      const likely = likelyId(where, resource, run, seen);
      const id = likely === undefined ? undefined : canonicalInteger(likely);
      const isValid = id !== undefined && idParameter.schema.validate(id).length === 0;
      if (isValid && !seen.includes(String(id)))
        yield absentRequest(run, resource, get, String(id));
      yield absentRequest(run, resource, get, absentId(idParameter, run, seen, where === 'far'));
    }),
  ];
}

/**
 * `far`: one that 32 bits cannot tell from an item that is there; `next`: one more than the largest
 * identifier that the run was given. Undefined where nothing shows one.
 */
function likelyId(
  where: Where,
  resource: Resource,
  { known }: Run,
  seen: readonly string[],
): bigint | undefined {
  const ids = where === 'next' ? [...known.added(resource).keys()] : seen;
  const numbers = ids.filter((id) => /^\d+$/.test(id));
  if (where === 'far') {
    const near = numbers.find((id) => id.length <= 15);
    return near === undefined ? undefined : BigInt(near) + 2n ** 61n;
  }
  const [largest] = where === 'next' ? numbers.map(BigInt).toSorted((a, b) => Number(b - a)) : [];
  return largest === undefined ? undefined : largest + 1n;
}
