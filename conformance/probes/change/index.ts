import { renderJson } from '../../../contract/json/value.ts';
import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { largest } from '../../../contract/list/list.ts';
import { refusalStatuses } from '../../../contract/requirement/reachable-responses.ts';
import { tagBody } from '../../generate/valid-body.ts';
import { changesOf } from '../../judge/trace/collection.ts';
import { requirementsByOperation } from '../../memo/requirements.ts';
import { variantRequest } from '../body-variant.ts';
import { readBack } from '../valid-request.ts';
import { createProbe, type PlanContext, type Probe } from '../probe.ts';
import { readWriter, type ItemResource, ownItem, toItem } from './item.ts';
import { absentProbe, listInvalidChangeProbes } from './refused.ts';
import { listRemovalProbes } from './removal.ts';
import { listWriteProbes, type Changer } from './write.ts';

/** Requests that replace, update and remove the run's own items. */
export function listChangeProbes(context: PlanContext): readonly Probe[] {
  const { contract } = context;
  return contract.resources.flatMap((resource) => listResourceProbes(context, resource));
}

function listResourceProbes(context: PlanContext, resource: Resource): readonly Probe[] {
  const { contract } = context;
  const changes = changesOf(resource);
  const { create, idParameter } = resource;
  if (
    create === undefined ||
    idParameter === undefined ||
    !readWriter(context.contract, resource, create)
  )
    return changes.map(({ operation }) => cannotProbe(context, operation));
  const items: ItemResource = { ...resource, create, idParameter };
  const changers = changes.flatMap(({ act, operation }): readonly Changer[] => {
    const writer = readWriter(context.contract, resource, operation);
    return act === 'remove' || writer === undefined ? [] : [{ ...writer, resource: items, act }];
  });
  const { remove } = resource;
  const isJudged404 = ({ operation }: Changer): boolean =>
    contract.requirementOf(requirementId.status(operation.id, 404)) !== undefined;
  return [
    ...interleave(changers.map(listWriteProbes)),
    ...changers.map(togetherProbe),
    ...interleave(changers.map(listInvalidChangeProbes)),
    ...(remove === undefined ? [] : listRemovalProbes(items, remove, changers.filter(isJudged404))),
    ...listAbsentProbes(items, changers.filter(isJudged404), remove),
    ...(changes.length === 0 ? [] : [lookBackProbe(items, changes)]),
  ];
}

function listAbsentProbes(
  resource: ItemResource,
  changers: readonly Changer[],
  remove: Operation | undefined,
): readonly Probe[] {
  const changes = changers.flatMap(
    ({ operation, template, plain }) =>
      absentProbe(resource, operation, (tag) => renderJson(tagBody(template, plain, tag))) ?? [],
  );
  const removal = remove && absentProbe(resource, remove, () => undefined);
  return [...changes, ...(removal === undefined ? [] : [removal])];
}

/** The item that was to stay as it is, after all that was refused. */
function lookBackProbe(resource: ItemResource, changes: ReturnType<typeof changesOf>): Probe {
  return createProbe({
    id: `${resource.collectionPath}/look back`,
    phase: 'look-back',
    writes: true,
    proves: changes.flatMap(({ operation }) =>
      refusalStatuses.map((status) => requirementId.state(operation.id, `not-written.${status}`)),
    ),
    run: async (run) => {
      const id = run.known.own(resource, 'stay');
      if (id !== undefined) await readBack(run, resource, id);
    },
  });
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
function cannotProbe({ contract }: PlanContext, operation: Operation): Probe {
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
function togetherProbe(changer: Changer): Probe {
  const { operation, resource } = changer;
  return createProbe({
    id: `${operation.id}/together`,
    phase: 'change',
    rank: 2,
    requests: 2 * purposes.length,
    writes: true,
    proves: [requirementId.concurrency(operation.id, 'stored')],
    run: async (run) => {
      const ids: string[] = [];
      for (const purpose of purposes) ids.push((await ownItem(run, resource, purpose)) ?? '');
      const own = [...new Set(ids)].filter((id) => id !== '');
      const plain = { changes: {}, exercises: [] };
      const requests = own.map((id) => toItem(variantRequest(changer, plain, run), resource, id));
      if (own.length < 2) return;
      await run.session.sendTogether(requests);
      for (const id of own) await readBack(run, resource, id);
    },
  });
}
