import { requirementId, type Operation } from '../../../contract/index.ts';
import { successId } from '../../judge/trace/trace.ts';
import { validIntent, type Intent } from '../../transport/exchange.ts';
import { isRefused } from '../body-variant.ts';
import { itemRequest } from '../lawful-request.ts';
import { createProbe, type Probe, type Run } from '../probe.ts';
import { addItem, ownItem, type ItemResource } from './item.ts';

/** A removal, with a look for what is left; and what the next item is called. */
export function listRemovalProbes(resource: ItemResource, remove: Operation): readonly Probe[] {
  return [plainProbe(resource, remove), freshProbe(resource, remove)];
}

/** Removes an item, asks for it, and removes it once more where the document has a 404 for that. */
function plainProbe(resource: ItemResource, remove: Operation): Probe {
  const again = [resource.get, remove].filter((operation) => operation !== undefined);
  const looks = again.filter(({ responses }) => responses.some(({ status }) => status === '404'));
  const removed = requirementId.state(remove.id, 'removed');
  return createProbe({
    id: `${remove.id}/own item`,
    phase: 'remove',
    requests: 1 + looks.length,
    writes: true,
    proves: [successId(remove), removed, ...looks.map(({ id }) => requirementId.status(id, 404))],
    run: async (run) => {
      const id = await ownItem(run, resource, 'remove');
      if (id === undefined || !(await removeItem(run, resource, remove, id))) return;
      for (const operation of looks) {
        const requirement = requirementId.status(operation.id, 404);
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
