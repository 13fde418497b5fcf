import * as fc from 'fast-check';
import { requirementId, type Resource } from '../../contract/index.ts';
import { createModel } from '../judge/trace/model.ts';
import type { Probe, Run } from '../probes/probe.ts';
import { readTrace } from '../judge/trace/trace.ts';
import { listCommands, type FuzzModel } from './command.ts';
import { fuzzProbe, type FuzzTask } from './task.ts';

/** Sequences that fast-check runs against a model; their exchanges are judged afterwards. */
export function sequenceProbe(task: FuzzTask): Probe {
  const { list } = task.resource;
  return fuzzProbe(task, list.id, 'sequence', {
    writes: task.template !== undefined,
    proves: [requirementId.status(list.id, 200)],
    run: (run) => runSequence(task, run),
  });
}

/** Sequences that are drawn before a probe gives up on its size: a model may find nothing to do. */
const most = 20;

async function runSequence(task: FuzzTask, run: Run): Promise<void> {
  const end = run.session.exchanges.length + task.size;
  const model = recall(task.resource, run, () => end - run.session.exchanges.length);
  for (let sequence = 0; sequence < most && model.left() > 0; sequence += 1) {
    const options = { maxCommands: task.size, size: 'max' } as const;
    const drawn = fc.commands([...listCommands(task, run)], options);
    const salt = `sequence ${task.resource.collectionPath} ${task.round} ${sequence}`;
    const [commands] = run.random.sample(drawn, 1, salt);
    if (commands !== undefined)
      await fc.asyncModelRun(() => ({ model, real: run.session }), commands);
  }
}

/** How far back a model looks, in exchanges: older items are left to the checks. */
const memory = 300;

/** A model that knows what the run did lately. */
function recall(resource: Resource, run: Run, left: () => number): FuzzModel {
  const model = createModel(resource);
  let read = Math.max(0, run.session.exchanges.length - memory);
  const catchUp = (): void => {
    const fresh = run.session.exchanges.slice(read);
    read = run.session.exchanges.length;
    for (const reading of readTrace(run.contract, fresh).readings) model.note(reading);
  };
  catchUp();
  return { ...model, left, catchUp };
}
