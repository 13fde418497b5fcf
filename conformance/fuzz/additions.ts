import * as fc from 'fast-check';
import { requirementId } from '../judge/trace/requirement.ts';
import { longestList } from '../probes/lists.ts';
import type { Probe, Run } from '../probes/probe.ts';
import { readBack } from '../probes/valid-request.ts';
import { addedId, addedStatus, drawnRequest, type Writer } from '../probes/writer.ts';
import { readRateLimit } from '../transport/pace.ts';
import { drawBodies } from './body.ts';
import { fuzzProbe, type FuzzTask } from './task.ts';

/** Additions drawn from the schema, then reads of some of them and one long list. */
export function generatedProbe(task: FuzzTask, create: Writer): Probe {
  const { id } = create.operation;
  return fuzzProbe(task, id, 'generated', {
    proves: [addedStatus(create.operation)],
    run: (run) => addAndRead(task, create, run),
  });
}

async function addAndRead(task: FuzzTask, create: Writer, run: Run): Promise<void> {
  const { resource, size, round } = task;
  // Nearly all of the first few hundred items are read back, then some.
  const back = Math.floor(size * (round < 40 ? 1 / 2 : 1 / 4));
  const ids: string[] = [];
  for (const body of drawBodies(task, create, run, size - back)) {
    const added = await run.session.send(drawnRequest(create, run, body));
    const id = addedId(added, run, resource);
    if (id !== undefined) ids.push(id);
  }
  if (back > 1) await run.session.send(longestList(resource));
  for (const id of ids.slice(0, Math.max(0, back - 1))) {
    await readBack(run, resource, id);
  }
}

/** Rounds of two to eight additions at the same time, each followed by reads of what was added. */
export function togetherProbe(task: FuzzTask, create: Writer): Probe {
  const { id } = create.operation;
  return fuzzProbe(task, id, 'together', {
    proves: [requirementId.concurrency(id, 'unique'), requirementId.concurrency(id, 'stored')],
    run: (run) => addTogether(task, create, run),
  });
}

async function addTogether(task: FuzzTask, create: Writer, run: Run): Promise<void> {
  const { resource, size, round } = task;
  const end = run.session.exchanges.length + size;
  const bodies = [...drawBodies(task, create, run, size)];
  const salt = `together ${resource.collectionPath} ${round}`;
  const sizes = run.random.sample(fc.integer({ min: 2, max: 8 }), size, salt);
  for (const wanted of sizes) {
    const left = end - run.session.exchanges.length;
    const count = Math.min(wanted, left, room(run), bodies.length);
    if (count < 1) return;
    const requests = bodies.splice(0, count).map((body) => drawnRequest(create, run, body));
    const exchanges = await run.session.sendTogether(requests);
    const ids = exchanges.flatMap((exchange) => addedId(exchange, run, resource) ?? []);
    for (const id of ids.slice(0, Math.max(0, end - run.session.exchanges.length))) {
      await readBack(run, resource, id, [requirementId.concurrency(create.operation.id, 'stored')]);
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
