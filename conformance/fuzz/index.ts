import { refusalStatus, type Resource } from '../../contract/index.ts';
import { readTemplate } from '../generate/valid-body.ts';
import type { PlanContext, Probe } from '../probes/probe.ts';
import { generatedProbe, togetherProbe } from './additions.ts';
import { invalidProbe } from './invalid.ts';
import type { FuzzTask } from './task.ts';
import { sequenceProbe } from './sequence.ts';

/** The kinds of fuzzing probes in turn, with the requests of each; first what rare values need. */
const turns: readonly { readonly requests: number; readonly make: (task: FuzzTask) => Probe }[] = [
  { requests: 24, make: generatedProbe },
  { requests: 24, make: sequenceProbe },
  { requests: 24, make: generatedProbe },
  { requests: 22, make: invalidProbe },
  { requests: 24, make: generatedProbe },
  { requests: 16, make: togetherProbe },
];

/**
 * Probes that spend exactly so many requests on properties and model-based sequences: generated
 * additions that are read back, bodies invalid in one generated way, sequences against a model,
 * additions at the same time. Each resource gets its share. `readOnly`: sequences of reads only.
 */
export function listFuzzProbes(
  context: PlanContext,
  requests: number,
  readOnly: boolean,
): readonly Probe[] {
  const { resources } = context.contract;
  const share = Math.floor(requests / Math.max(1, resources.length));
  return resources.flatMap((resource, index) => {
    const rest = index === 0 ? requests % resources.length : 0;
    return fill(resource, context, share + rest, readOnly);
  });
}

function fill(
  resource: Resource,
  context: PlanContext,
  requests: number,
  readOnly: boolean,
): readonly Probe[] {
  const template =
    resource.create && !readOnly ? readTemplate(context.contract, resource.create) : undefined;
  const kinds = template !== undefined ? turns : [{ requests: 24, make: sequenceProbe }];
  const probes: Probe[] = [];
  for (let left = requests, round = 0; left > 0; round += 1) {
    const kind = kinds[round % kinds.length];
    if (kind === undefined) break;
    const size = Math.min(kind.requests, left);
    const status = resource.create && refusalStatus(resource.create);
    probes.push(kind.make({ resource, template, round, size, status }));
    left -= size;
  }
  return probes;
}
