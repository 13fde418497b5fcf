import { requirementsByOperation } from '../family/requirements.ts';
import type { Contract } from '../../contract/contract.ts';
import { largest } from '../../contract/list/list.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { refusalStatuses } from '../../contract/openapi/refusal.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { changesOf } from '../judge/trace/collection.ts';
import { successId } from '../judge/trace/trace.ts';
import { validIntent } from '../transport/exchange.ts';
import { listAbsentChanges, notFoundOf } from './absent.ts';
import { listInvalidChangeProbes } from './invalid-write.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import { listValidChanges } from './valid-write.ts';
import { itemPath, readBack } from './valid-request.ts';
import { addItem, isRefused, ownItem, variantRequest, writersOf, type Writer } from './writer.ts';

/** Requests that replace, update and remove the run's own items. */
export function listChangeProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => listResourceProbes(contract, resource));
}

function listResourceProbes(contract: Contract, resource: Resource): readonly Probe[] {
  const changes = changesOf(resource).map(({ operation }) => operation);
  const [create, ...changers] = writersOf(contract)(resource);
  if (create === undefined || resource.idParameter === undefined)
    return changes.map((operation) => cannotProbe(contract, operation));
  const { remove } = resource;
  const judged = changers.filter(({ operation }) => notFoundOf(contract, operation) !== undefined);
  return [
    ...interleave(changers.map((changer) => listValidChanges(changer, contract))),
    ...changers.map((changer) => togetherProbe(changer)),
    ...interleave(changers.map((changer) => listInvalidChangeProbes(contract, changer))),
    ...(remove === undefined ? [] : listRemovalProbes(contract, resource, remove, judged)),
    ...listAbsentChanges(contract, resource, judged),
    ...(changes.length === 0 ? [] : [lookBackProbe(resource, changes)]),
  ];
}

/** The lists in turn: the first of each, the second of each. */
function interleave(lists: readonly (readonly Probe[])[]): readonly Probe[] {
  const longest = largest(
    lists.map((list) => list.length),
    0,
  );
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** What is required of the items that an operation changes takes one that the suite can add. */
function cannotProbe(contract: Contract, operation: Operation): Probe {
  const own = (requirementsByOperation(contract).get(operation.id) ?? []).filter(
    ({ family }) => family === 'state' || family === 'concurrency',
  );
  return createProbe({
    id: `${operation.id}/an item of its own`,
    phase: 'change',
    proves: own.map(({ id }) => id),
    run: () => Promise.resolve(),
    cannot: 'the suite found no operation that adds an item',
  });
}

const purposes = ['replace', 'update', 'race'] as const;

/** Changes of different items at the same time, then reads of each. */
function togetherProbe(changer: Writer): Probe {
  const { operation, resource } = changer;
  return createProbe({
    id: `${operation.id}/together`,
    phase: 'change',
    rank: 2,
    requests: 2 * purposes.length,
    writes: true,
    proves: [requirementId.concurrency(operation.id, 'stored')],
    run: async (run) => {
      const own = new Set<string>();
      for (const purpose of purposes) {
        const id = await ownItem(run, resource, purpose);
        if (id !== undefined) own.add(id);
      }
      if (own.size < 2) return;
      const requests = [...own].map((id) =>
        variantRequest(changer, run, undefined, itemPath(resource, id)),
      );
      await run.session.sendTogether(requests);
      for (const id of own) await readBack(run, resource, id);
    },
  });
}

/** The item that was to stay as it is, after all that was refused. */
function lookBackProbe(resource: Resource, changes: readonly Operation[]): Probe {
  return createProbe({
    id: `${resource.collectionPath}/look back`,
    phase: 'look-back',
    writes: true,
    proves: changes.flatMap(({ id }) =>
      refusalStatuses.map((status) => requirementId.state(id, `not-written.${status}`)),
    ),
    run: async (run) => {
      const id = run.known.own(resource, 'stay');
      if (id !== undefined) await readBack(run, resource, id);
    },
  });
}

/** Removals, with looks for what is left; `changers`: those with a 404 for what is not there. */
function listRemovalProbes(
  contract: Contract,
  resource: Resource,
  remove: Operation,
  changers: readonly Writer[],
): readonly Probe[] {
  const { create, get } = resource;
  const success = successId(remove);
  const removed = requirementId.state(remove.id, 'removed');
  const listLooks = (operations: readonly (Operation | undefined)[]): readonly Look[] =>
    operations.flatMap((operation) => {
      const requirement = operation && notFoundOf(contract, operation);
      if (operation === undefined || requirement === undefined) return [];
      const changer = changers.find((each) => each.operation === operation);
      return [{ operation, requirement, changer }];
    });
  const again = listLooks([get, remove]);
  const changed = listLooks([...changers.map(({ operation }) => operation), get]);
  /** Removes an item; its identifier, or undefined where it was refused. */
  const take = async (run: Run, id: string | undefined): Promise<string | undefined> => {
    if (id === undefined) return undefined;
    const request = { operation: remove, path: itemPath(resource, id) };
    const sent = await run.session.send({ ...request, intent: validIntent([success]) });
    return isRefused(sent) ? undefined : id;
  };
  const removal = {
    phase: 'remove',
    writes: true,
  } as const;
  return [
    createProbe({
      ...removal,
      id: `${remove.id}/own item`,
      requests: 1 + again.length,
      proves: [success, removed, ...again.map(({ requirement }) => requirement)],
      run: async (run) => {
        const id = await take(run, await ownItem(run, resource, 'remove'));
        if (id !== undefined) await lookFor(run, resource, id, again);
      },
    }),
    createProbe({
      ...removal,
      id: `${remove.id}/the last item, then another`,
      rank: 2,
      requests: 3,
      proves: [requirementId.state(create?.id ?? '', 'id-fresh'), success],
      run: async (run) => {
        const id = await take(run, await addItem(run, resource));
        // Its identifier is not given again.
        if (id !== undefined) await addItem(run, resource);
      },
    }),
    ...(changers.length === 0
      ? []
      : [
          createProbe({
            ...removal,
            id: `${remove.id}/an item, then its change`,
            rank: 2,
            requests: 2 + changed.length,
            proves: [removed, ...changed.map(({ requirement }) => requirement)],
            run: async (run) => {
              const id = await take(run, await addItem(run, resource));
              if (id !== undefined) await lookFor(run, resource, id, changed);
            },
          }),
        ]),
  ];
}

/** A request for an item that was removed, with the requirement that nothing is there. */
interface Look {
  readonly operation: Operation;
  readonly requirement: string;
  /** What makes its body; undefined for none. */
  readonly changer: Writer | undefined;
}

async function lookFor(
  run: Run,
  resource: Resource,
  id: string,
  looks: readonly Look[],
): Promise<void> {
  const path = itemPath(resource, id);
  for (const { operation, requirement, changer } of looks) {
    const request = changer ? variantRequest(changer, run, undefined, path) : { operation, path };
    await run.session.send({ ...request, intent: { kind: 'absent', requirement, id } });
  }
}
