import { requirementId } from '../../contract/index.ts';
import type { Probe, Run } from '../probes/probe.ts';
import { longestList } from '../probes/parameter.ts';
import { addition, drawBodies } from './body.ts';
import { addedId, fuzzProbe, readRequest, type FuzzTask } from './task.ts';

/** Additions drawn from the schema, then reads of some of them and one long list. */
export function generatedProbe(task: FuzzTask): Probe {
  const { create } = task.resource;
  return fuzzProbe(task, {
    operation: create?.id,
    name: 'generated',
    proves: [requirementId.status(create?.id ?? '', 201)],
    run: (run) => addAndRead(task, run),
  });
}

async function addAndRead(task: FuzzTask, run: Run): Promise<void> {
  const { resource, size, round } = task;
  // Nearly all of the first few hundred items are read back, then some.
  const back = Math.floor(size * (round < 40 ? 1 / 2 : 1 / 4));
  const ids: string[] = [];
  for (const body of drawBodies(task, run, size - back)) {
    const request = addition(task, body, run);
    if (request === undefined) return;
    const id = addedId(await run.session.send(request), run, resource);
    if (id !== undefined) ids.push(id);
  }
  if (back > 1) await run.session.send(longestList(resource));
  for (const id of ids.slice(0, Math.max(0, back - 1))) {
    const request = readRequest(resource, id, false);
    if (request !== undefined) await run.session.send(request);
  }
}
