import { requirementId } from '../../../contract/index.ts';
import { variantRequest } from '../body-variant.ts';
import { readBack } from '../lawful-request.ts';
import { createProbe, type Probe } from '../probe.ts';
import { ownItem, toItem } from './item.ts';
import type { Changer } from './write.ts';

const purposes = ['replace', 'update', 'race'] as const;

/** Changes of different items at the same time, then reads of each. */
export function togetherProbe(changer: Changer): Probe {
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
