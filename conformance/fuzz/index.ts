import { refusalStatus, type Resource } from '../../contract/index.ts';
import { readTemplate } from '../generate/valid-body.ts';
import type { PlanContext, Probe } from '../probes/probe.ts';
import { dealParts, type Part } from '../shard/deal.ts';
import type { Shard } from '../shard/shard.ts';
import { generatedProbe, togetherProbe } from './additions.ts';
import { invalidProbe } from './invalid.ts';
import type { FuzzTask } from './task.ts';
import { sequenceProbe } from './sequence.ts';

/** A kind of fuzzing probes. */
interface Turn {
  readonly name: string;
  readonly requests: number;
  readonly make: (task: FuzzTask) => Probe;
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
  return (own ?? []).map(({ make, task }) => make(task));
}

interface FuzzPart extends Part {
  readonly make: Turn['make'];
  readonly task: FuzzTask;
}

function fill(
  resource: Resource,
  context: PlanContext,
  requests: number,
  readOnly: boolean,
  shard: Shard | undefined,
): readonly FuzzPart[] {
  const template =
    resource.create && !readOnly ? readTemplate(context.contract, resource.create) : undefined;
  const kinds =
    template !== undefined ? turns : [{ name: 'sequence', requests: 24, make: sequenceProbe }];
  const status = resource.create && refusalStatus(resource.create);
  const parts: FuzzPart[] = [];
  for (let left = requests, round = 0; left > 0; round += 1) {
    const turn = kinds[round % kinds.length];
    if (turn === undefined) break;
    const size = Math.min(turn.requests, left);
    parts.push({
      kind: `${resource.collectionPath} ${turn.name}`,
      requests: size,
      make: turn.make,
      task: { resource, template, round, size, status, shard },
    });
    left -= size;
  }
  return parts;
}
