import { absentProbes, absentRequest, notFoundOf } from './absent.ts';
import type { Contract } from '../../contract/contract.ts';
import { largest } from '../../contract/list/list.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { refusalStatuses } from '../../contract/openapi/refusal.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { requirementsByOperation } from '../family/requirements.ts';
import { changesOf } from '../judge/trace/collection.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { successId } from '../judge/trace/trace.ts';
import { validIntent, type Intent } from '../transport/exchange.ts';
import { listInvalidChangeProbes } from './invalid.ts';
import { createProbe, type PlanContext, type Probe, type Run } from './probe.ts';
import {
  addItem,
  isRefused,
  itemPath,
  itemRequest,
  ownItem,
  readBack,
  variantRequest,
  writersOf,
  type Writer,
} from './requests.ts';
import { listValidChanges } from './writes.ts';

/** Requests that replace, update and remove the run's own items. */
export function listChangeProbes({ contract }: PlanContext): readonly Probe[] {
  return contract.resources.flatMap((resource) => listResourceProbes(contract, resource));
}

function listResourceProbes(contract: Contract, resource: Resource): readonly Probe[] {
  const changes = changesOf(resource).map(({ operation }) => operation);
  const [create, ...changers] = writersOf(contract)(resource);
  if (create === undefined || resource.idParameter === undefined)
    return changes.map((operation) => cannotProbe(contract, operation));
  const judged = changers
    .map(({ operation }) => operation)
    .filter((operation) => notFoundOf(contract, operation) !== undefined);
  const { remove } = resource;
  return [
    ...interleave(changers.map((changer) => listValidChanges(changer, contract))),
    ...changers.map((changer) => togetherProbe(changer)),
    ...interleave(changers.map((changer) => listInvalidChangeProbes(contract, changer))),
    ...(remove === undefined ? [] : listRemovalProbes(contract, resource, remove, judged)),
    ...[...judged, remove].flatMap((operation) =>
      absentProbes(contract, operation, 'far', { phase: 'remove' }),
    ),
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
      await run.session.sendTogether(
        [...own].map((id) => variantRequest(changer, run, {}, itemPath(resource, id))),
      );
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
  changers: readonly Operation[],
): readonly Probe[] {
  const { create, get } = resource;
  const success = successId(remove);
  const removed = requirementId.state(remove.id, 'removed');
  /** Removes an item, then adds one or asks for it where nothing is. */
  const removal = (
    name: string,
    own: (run: Run) => Promise<string | undefined>,
    looks: readonly (Operation | undefined)[],
    more: Pick<Probe, 'proves'> & Partial<Probe>,
    after?: (run: Run) => Promise<unknown>,
  ): Probe => {
    const asked = looks.flatMap((operation) => notFoundOf(contract, operation) ?? []);
    // A document without the 404 leaves open which error there is: the item must be gone all the same.
    const isSilent = get !== undefined && looks.includes(get) && !notFoundOf(contract, get);
    return createProbe({
      id: `${remove.id}/${name}`,
      phase: 'remove',
      writes: true,
      requests: 1 + asked.length + Number(isSilent),
      ...more,
      proves: [...more.proves, ...asked],
      run: async (run) => {
        const id = await own(run);
        if (id === undefined) return;
        const request = itemRequest(remove, resource, id, validIntent([success]));
        if (isRefused(await run.session.send(request))) return;
        await after?.(run);
        const gone: Intent = { kind: 'unspecified', way: 'item that was removed' };
        if (isSilent) await run.session.send(itemRequest(get, resource, id, gone));
        for (const operation of looks) {
          const look = absentRequest(run, operation, id);
          if (look !== undefined) await run.session.send(look);
        }
      },
    });
  };
  const addNew = (run: Run) => addItem(run, resource);
  const changed = changers.length === 0 ? [] : [...changers, get];
  const reread = changed.filter((operation) => notFoundOf(contract, operation) !== undefined);
  const probes = [
    removal('own item', (run) => ownItem(run, resource, 'remove'), [get, remove], {
      proves: [success, removed],
    }),
    // The identifier of the last item is not given again.
    removal(
      'the last item, then another',
      addNew,
      [],
      {
        rank: 2,
        requests: 3,
        proves: [requirementId.state(create?.id ?? '', 'id-fresh'), success],
      },
      addNew,
    ),
    removal('an item, then its change', addNew, changed, {
      rank: 2,
      requests: 2 + reread.length,
      proves: [removed],
    }),
  ];
  if (changers.length === 0) probes.pop();
  return create === undefined ? probes.filter((_probe, at) => at !== 1) : probes;
}
