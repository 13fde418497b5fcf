import { requirementId } from '../judge/trace/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { validIntent, type Exchange } from '../transport/exchange.ts';
import { listAbsentReads } from './absent.ts';
import { readBack, validRequest } from './valid-request.ts';
import { asValid, plainRequest } from './general.ts';
import { createProbe, type PlanContext, type Probe } from './probe.ts';

/** Reads of single items: one that was there before, some that were added, some that nobody has. */
export function listGetProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => {
    const { get, idParameter } = resource;
    if (get === undefined || idParameter === undefined) return [];
    const added = resource.create ? choices.map((each) => addedProbe(resource, get, each)) : [];
    const absent = listAbsentReads(contract, resource);
    return [listedProbe(resource, get), ...added, againProbe(get), ...absent];
  });
}

function listedProbe(resource: Resource, get: Operation): Probe {
  const readable = requirementId.state(get.id, 'readable');
  return createProbe({
    id: `${get.id}/listed`,
    phase: 'get',
    proves: [requirementId.status(get.id, 200), readable],
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
