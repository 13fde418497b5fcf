import type { Contract } from '../../contract/contract.ts';
import { canonicalInteger } from '../../contract/json/number.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { requirementsOf } from '../family/requirements.ts';
import { isOpenIdentifier } from '../family/status.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { itemResourceOf } from '../judge/trace/trace.ts';
import { statusOf, validIntent, type Exchange } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import { writes } from '../transport/target.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
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
} from './requests.ts';

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

/** Reads of single items: one that was there before, some that were added, some that nobody has. */
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
        phase: 'get',
        rank,
        proves: [requirementId.status(get.id, 200), readable, ...proves],
        run,
      });
    const stored = create ? [requirementId.concurrency(create.operation.id, 'stored')] : [];
    return [
      probe('listed', async (run) => {
        const ids = [...run.known.found(resource).keys()];
        const id = ids.findLast(losesDigits) ?? ids.at(-1);
        if (id !== undefined) await readBack(run, resource, id);
        // Few documents have all their items in lists: an example may name one.
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
      // What a cache makes of it.
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

/** Where the identifier is that nothing has: just behind those that are there, far off, or the next one. */
type Where = 'near' | 'far' | 'next';

/** The requirement that an operation returns 404 for what is not there; undefined where it has none. */
export function notFoundOf(
  contract: Contract,
  operation: Operation | undefined,
): string | undefined {
  return operation && requirementsOf(contract).get(requirementId.status(operation.id, 404))?.id;
}

/**
 * Requests for one identifier after another that nothing has, until one gets the 404 that it has to:
 * reads, changes and removals of items, and what only its own description is known of. None where the
 * document has no 404 for that, or lists all identifiers.
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
      // Those that are there, as far as is seen, and those that were asked for before.
      const asked = run.session.exchanges.flatMap(({ intent }) =>
        intent.kind === 'absent' ? [intent.id] : [],
      );
      const taken = resource === undefined ? [] : [...seenIds(resource, run), ...asked];
      // One of another item, where identifiers are cut to 32 bits, must not be changed.
      const likely = resource && !writes(operation) ? likelyId(where, resource, run) : undefined;
      const isFree = likely !== undefined && !taken.includes(`${likely}`);
      const isUsable = isFree && parameter.schema.validate(likely).length === 0;
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

/** A request for what is not there; undefined where the operation has no 404 for that. */
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
 * `far`: one that 32 bits cannot tell from an item that is there; `next`: one more than the largest
 * identifier that the run was given. Undefined where nothing shows one.
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
