import type { Resource } from '../../contract/resource/resource.ts';
import type { Probe } from '../probes/probe.ts';
import type { Writer } from '../probes/requests.ts';
import type { Shard } from '../shard/shard.ts';

/** What one fuzzing probe is made from. */
export interface FuzzTask {
  readonly resource: Resource;
  /** What may write its items, what adds them first: none where nothing may be added. */
  readonly writers: readonly Writer[];
  /** Position among the fuzzing probes of the resource, from 0; keeps their draws apart. */
  readonly round: number;
  /** Requests that the probe has. */
  readonly size: number;
  /** The shard that sends it; undefined for a run that is not split. */
  readonly shard: Shard | undefined;
}

/** A probe of one round; `operation` and `name` are its id. Adds items as a rule. */
export function fuzzProbe(
  { round, size }: FuzzTask,
  operation: string,
  name: string,
  probe: Pick<Probe, 'proves' | 'run'> & Partial<Probe>,
): Probe {
  const id = `${operation}/fuzz ${round + 1}: ${name}`;
  return { id, phase: 'fuzz', rank: 9, requests: size, writes: true, ...probe };
}
