import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { successId } from '../../judge/trace/trace.ts';
import { validIntent, type Intent } from '../../transport/exchange.ts';
import { isRefused, variantRequest } from '../body-variant.ts';
import { itemRequest } from '../valid-request.ts';
import { createProbe, type Probe, type Run } from '../probe.ts';
import { addItem, ownItem, toItem, type ItemResource } from './item.ts';
import type { Changer } from './write.ts';

/** Removals, with looks for what is left; `changers`: those with a 404 for what is not there. */
export function listRemovalProbes(
  resource: ItemResource,
  remove: Operation,
  changers: readonly Changer[],
): readonly Probe[] {
  return [
    plainProbe(resource, remove),
    freshProbe(resource, remove),
    ...(changers.length === 0 ? [] : [changedProbe(resource, remove, changers)]),
  ];
}

function notFoundId({ id }: Operation): string {
  return requirementId.status(id, 404);
}

function hasNotFound({ responses }: Operation): boolean {
  return responses.some(({ status }) => status === '404');
}

/** Removes an item, then tries to change it, and looks whether it is there again. */
function changedProbe(
  resource: ItemResource,
  remove: Operation,
  changers: readonly Changer[],
): Probe {
  return createProbe({
    id: `${remove.id}/an item, then its change`,
    phase: 'remove',
    rank: 2,
    requests: 3 + changers.length,
    writes: true,
    proves: [
      requirementId.state(remove.id, 'removed'),
      ...changers.map(({ operation }) => notFoundId(operation)),
    ],
    run: async (run) => {
      const id = await addItem(run, resource);
      if (id === undefined || !(await removeItem(run, resource, remove, id))) return;
      const plain = { changes: {}, exercises: [] };
      for (const changer of changers) {
        const { operation } = changer;
        const intent: Intent = { kind: 'absent', requirement: notFoundId(operation), id };
        const request = toItem(variantRequest(changer, plain, run), resource, id);
        await run.session.send({ ...request, intent });
      }
      const { get } = resource;
      if (get === undefined || !hasNotFound(get)) return;
      const intent: Intent = { kind: 'absent', requirement: notFoundId(get), id };
      await run.session.send(itemRequest(get, resource, id, intent));
    },
  });
}

/** Removes an item, asks for it, and removes it once more where the document has a 404 for that. */
function plainProbe(resource: ItemResource, remove: Operation): Probe {
  const again = [resource.get, remove].filter((operation) => operation !== undefined);
  const looks = again.filter(hasNotFound);
  const removed = requirementId.state(remove.id, 'removed');
  return createProbe({
    id: `${remove.id}/own item`,
    phase: 'remove',
    requests: 1 + looks.length,
    writes: true,
    proves: [successId(remove), removed, ...looks.map(notFoundId)],
    run: async (run) => {
      const id = await ownItem(run, resource, 'remove');
      if (id === undefined || !(await removeItem(run, resource, remove, id))) return;
      for (const operation of looks) {
        const requirement = notFoundId(operation);
        const intent: Intent = { kind: 'absent', requirement, id };
        await run.session.send(itemRequest(operation, resource, id, intent));
      }
    },
  });
}

/** Removes the item that was added last, and adds another: its identifier is not given again. */
function freshProbe(resource: ItemResource, remove: Operation): Probe {
  return createProbe({
    id: `${remove.id}/the last item, then another`,
    phase: 'remove',
    rank: 2,
    requests: 3,
    writes: true,
    proves: [requirementId.state(resource.create.id, 'id-fresh'), successId(remove)],
    run: async (run) => {
      const id = await addItem(run, resource);
      if (id === undefined || !(await removeItem(run, resource, remove, id))) return;
      await addItem(run, resource);
    },
  });
}

/** True if it was served. */
async function removeItem(
  run: Run,
  resource: ItemResource,
  remove: Operation,
  id: string,
): Promise<boolean> {
  const request = itemRequest(remove, resource, id, validIntent([successId(remove)]));
  return !isRefused(await run.session.send(request));
}
