import type { Resource } from '../../contract/resource/resource.ts';
import type { PlanContext, Probe } from '../probes/probe.ts';
import { writersOf, type Writer } from '../probes/requests.ts';
import { dealParts, type Part, type Shard } from '../shard/shard.ts';
import { generatedProbe, togetherProbe } from './additions.ts';
import { invalidProbe } from './invalid.ts';
import { sequenceProbe } from './sequence.ts';
import type { FuzzTask } from './task.ts';

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
