import { absentProbes } from './absent.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { validIntent, type Exchange } from '../transport/exchange.ts';
import { createProbe, type PlanContext, type Probe } from './probe.ts';
import {
  asValid,
  plainRequest,
  readBack,
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
      ...absentProbes(contract, get, 'near', { phase: 'get', rank: 2 }),
      ...absentProbes(contract, get, 'far', { phase: 'get' }),
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
