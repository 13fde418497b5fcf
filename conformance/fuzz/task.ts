import { requirementId } from '../../contract/requirement/requirement.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { itemRequest } from '../probes/valid-request.ts';
import type { Probe } from '../probes/probe.ts';
import type { Writer } from '../probes/writer.ts';
import { validIntent } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
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

/** A read of an item that has to be there; undefined where there is no such operation. */
export function readRequest(
  resource: Resource,
  id: string,
  together: boolean,
): Request | undefined {
  const { get, create, idParameter } = resource;
  if (get === undefined || idParameter === undefined) return undefined;
  const exercises = together
    ? [requirementId.concurrency(create?.id ?? '', 'stored')]
    : [requirementId.state(get.id, 'readable')];
  return itemRequest(get, resource, id, validIntent(exercises));
}
