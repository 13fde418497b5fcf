import * as fc from 'fast-check';
import type { Resource } from '../../contract/resource/resource.ts';
import { requirementId } from '../judge/trace/requirement.ts';
import { createModel } from '../judge/trace/model.ts';
import { readTrace } from '../family/read-trace.ts';
import type { PlanContext, Probe, Run } from '../probes/probe.ts';
import { writersOf, type Writer } from '../probes/writer.ts';
import { dealParts, type Part, type Shard } from '../shard/shard.ts';
import { generatedProbe, togetherProbe } from './additions.ts';
import { listCommands, type FuzzModel } from './command.ts';
import { invalidProbe } from './invalid.ts';
import { type FuzzTask, fuzzProbe } from './task.ts';

/** A kind of fuzzing probes. */
interface Turn {
  readonly name: string;
  readonly requests: number;
  readonly make: (task: FuzzTask, create: Writer) => Probe;
}

/** The kinds of fuzzing probes in turn, with the requests of each; first what rare values need. */
const turns: readonly Turn[] = [
  { name: 'generated', requests: 24, make: generatedProbe },
  { name: 'sequence', requests: 24, make: sequenceProbe },
  { name: 'generated', requests: 24, make: generatedProbe },
  { name: 'invalid', requests: 22, make: invalidProbe },
  { name: 'generated', requests: 24, make: generatedProbe },
  { name: 'together', requests: 16, make: togetherProbe },
];

/**
 * Probes that spend exactly so many requests on properties and model-based sequences: generated
 * additions that are read back, bodies invalid in one generated way, sequences against a model,
 * additions at the same time. Each resource gets its share. `readOnly`: sequences of reads only. A
 * shard gets those that fall to it: each is in one shard, with the seeds that it has without shards.
 */
export function listFuzzProbes(
  context: PlanContext,
  requests: number,
  readOnly: boolean,
  shard?: Shard,
): readonly Probe[] {
  const { resources } = context.contract;
  const share = Math.floor(requests / Math.max(1, resources.length));
  const parts = resources.flatMap((resource, index) => {
    const rest = index === 0 ? requests % resources.length : 0;
    return fill(resource, context, share + rest, readOnly, shard);
  });
  const own = shard === undefined ? parts : dealParts(parts, shard.count)[shard.index - 1];
  return (own ?? []).map(({ make }) => make());
}

interface FuzzPart extends Part {
  readonly make: () => Probe;
}

function fill(
  resource: Resource,
  { contract }: PlanContext,
  requests: number,
  readOnly: boolean,
  shard: Shard | undefined,
): readonly FuzzPart[] {
  const writers = readOnly ? [] : writersOf(contract)(resource);
  const [create] = writers;
  const parts: FuzzPart[] = [];
  for (let left = requests, round = 0; left > 0; round += 1) {
    const turn = create === undefined ? undefined : turns[round % turns.length];
    const size = Math.min(turn?.requests ?? 24, left);
    const task = { resource, writers, round, size, shard };
    parts.push({
      kind: `${resource.collectionPath} ${turn?.name ?? 'sequence'}`,
      requests: size,
      make: () => (turn && create ? turn.make(task, create) : sequenceProbe(task)),
    });
    left -= size;
  }
  return parts;
}

/** Sequences that fast-check runs against a model; their exchanges are judged afterwards. */
function sequenceProbe(task: FuzzTask): Probe {
  const { list } = task.resource;
  return fuzzProbe(task, list.id, 'sequence', {
    writes: task.writers.length > 0,
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
