import * as fc from 'fast-check';
import { requirementId } from '../../contract/index.ts';
import { readRateLimit } from '../transport/pace.ts';
import type { Probe, Run } from '../probes/probe.ts';
import { addition, drawBodies } from './body.ts';
import { addedId, fuzzProbe, readRequest, type FuzzTask } from './task.ts';

/** Rounds of two to eight additions at the same time, each followed by reads of what was added. */
export function togetherProbe(task: FuzzTask): Probe {
  const create = task.resource.create?.id ?? '';
  return fuzzProbe(task, {
    operation: create,
    name: 'together',
    proves: (['unique', 'stored'] as const).map((facet) =>
      requirementId.concurrency(create, facet),
    ),
    run: (run) => addTogether(task, run),
  });
}

async function addTogether(task: FuzzTask, run: Run): Promise<void> {
  const { resource, size, round } = task;
  const end = run.session.exchanges.length + size;
  const bodies = [...drawBodies(task, run, size)];
  const sizes = run.random.sample(
    fc.integer({ min: 2, max: 8 }),
    size,
    `together ${resource.collectionPath} ${round}`,
  );
  for (const wanted of sizes) {
    const left = end - run.session.exchanges.length;
    const count = Math.min(wanted, left, room(run), bodies.length);
    if (count < 1) return;
    const requests = bodies.splice(0, count).flatMap((body) => addition(task, body, run) ?? []);
    const exchanges = await run.session.sendTogether(requests);
    const ids = exchanges.flatMap((exchange) => addedId(exchange, run, resource) ?? []);
    for (const id of ids.slice(0, Math.max(0, end - run.session.exchanges.length))) {
      const request = readRequest(resource, id, true);
      if (request !== undefined) await run.session.send(request);
    }
  }
}

/** How many requests the target still allows the key. One at least: the session waits. */
function room({ session, contract }: Run): number {
  const names = contract.rateLimit?.headers;
  const last = session.exchanges.findLast(
    ({ request, outcome }) => request.credential === 'valid' && outcome.kind === 'answered',
  );
  const remaining =
    names && last?.outcome.kind === 'answered'
      ? readRateLimit(last.outcome.response, names).remaining
      : undefined;
  return Math.max(1, remaining ?? Number.POSITIVE_INFINITY);
}
