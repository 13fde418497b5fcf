import { requirementId, type Resource } from '../../contract/index.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { Probe, Run } from '../probes/probe.ts';
import type { Request } from '../transport/session.ts';
import type { BodyTemplate } from '../generate/valid-body.ts';
import { idOf, itemOf, readTrace } from '../judge/trace/trace.ts';

/** What one fuzzing probe is made from. */
export interface FuzzTask {
  readonly resource: Resource;
  /** How lawful bodies are made; undefined where nothing may be added. */
  readonly template: BodyTemplate | undefined;
  /** Position among the fuzzing probes of the resource, from 0; keeps their draws apart. */
  readonly round: number;
  /** Requests that the probe has. */
  readonly size: number;
  /** The status by which an invalid body is refused. */
  readonly status: number | undefined;
}

/** A probe of one round; `operation` and `name` are its id. Adds items as a rule. */
export function fuzzProbe(
  { round, size }: FuzzTask,
  {
    operation,
    name,
    ...probe
  }: Pick<Probe, 'proves' | 'run'> &
    Partial<Probe> & { readonly operation: string | undefined; readonly name: string },
): Probe {
  const id = `${operation ?? ''}/fuzz ${round + 1}: ${name}`;
  return { id, phase: 'fuzz', rank: 9, requests: size, writes: true, ...probe };
}

/** The identifier of the item that an exchange added; undefined where none was. */
export function addedId(
  exchange: Exchange,
  { contract }: Run,
  resource: Resource,
): string | undefined {
  const [reading] = readTrace(contract, [exchange]).readings;
  const item = reading && exchange.intent.kind === 'valid' ? itemOf(reading) : undefined;
  const id = item && idOf(item, resource);
  return id === '' ? undefined : id;
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
  return {
    operation: get,
    path: { [idParameter.name]: id },
    intent: { kind: 'valid', exercises, mayRefuse: [] },
  };
}
