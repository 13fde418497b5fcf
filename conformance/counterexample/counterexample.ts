import {
  isJsonObject,
  type Contract,
  type JsonObject,
  type Operation,
  type Resource,
} from '../../contract/index.ts';
import type { CredentialUse, Exchange, Intent } from '../transport/exchange.ts';
import { idOf, itemOf, pathValueOf, readTrace, type Reading } from '../judge/trace/trace.ts';

/**
 * The requests that show a failure, without an address, a key or a response: anyone can send them
 * to any server.
 */
export interface Counterexample {
  /** Id of the requirement that fails. */
  readonly requirement: string;
  /** Name of the plan that the key had; undefined where it was not told. */
  readonly plan?: string;
  /** The tag in the texts of the run that found it; a replay puts its own in its place. */
  readonly tag: string;
  readonly steps: readonly CounterexampleStep[];
}

/** One request of a counterexample. */
export interface CounterexampleStep {
  readonly operation: string;
  readonly intent: Intent;
  readonly path?: Readonly<Record<string, string | ItemReference>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default `valid`. */
  readonly credential?: CredentialUse;
  /** Steps of the same group are sent at the same time. */
  readonly group?: string;
}

/** The identifier of an item that an earlier step was answered. */
export interface ItemReference {
  /** Position of that step. */
  readonly step: number;
  /** Position in the list that it was answered; undefined where that was a single item. */
  readonly item?: number;
}

/**
 * Writes exchanges down as a counterexample: identifiers that an earlier answer gave are told by
 * that response.
 */
export function createCounterexample(
  contract: Contract,
  requirement: string,
  exchanges: readonly Exchange[],
  tag: string,
  plan: string | undefined,
): Counterexample {
  const sorted = exchanges.toSorted((a, b) => a.index - b.index);
  const steps = sorted.map((exchange, index) =>
    createStep(contract, exchange, sorted.slice(0, index)),
  );
  return { requirement, ...(plan === undefined ? {} : { plan }), tag, steps };
}

function createStep(
  contract: Contract,
  { intent, request, group }: Exchange,
  earlier: readonly Exchange[],
): CounterexampleStep {
  const operation = contract.operations.find(({ id }) => id === request.operation);
  const values = operation ? pathValues(operation, request.target) : {};
  const path = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      findItem(contract, operation, value, earlier) ?? value,
    ]),
  );
  const query = Object.fromEntries(new URLSearchParams(request.target.split('?')[1] ?? ''));
  return {
    operation: request.operation,
    intent,
    ...(Object.keys(path).length === 0 ? {} : { path }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(request.credential === 'valid' ? {} : { credential: request.credential }),
    ...(group === undefined ? {} : { group }),
  };
}

/** The values of a path's parameters, read back from a request target. */
export function pathValues(operation: Operation, target: string): Readonly<Record<string, string>> {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = pathValueOf({ operation, exchange: { request: { target } } }, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function findItem(
  contract: Contract,
  operation: Operation | undefined,
  id: string,
  earlier: readonly Exchange[],
): ItemReference | undefined {
  const resource = contract.resources.find(
    ({ itemPath }) => itemPath !== undefined && itemPath === operation?.path,
  );
  if (!resource) return undefined;
  for (const [step, exchange] of earlier.entries()) {
    const item = answeredItems(contract, exchange, resource).findIndex(
      (each) => idOf(each, resource) === id,
    );
    if (item >= 0) return isList(exchange, resource) ? { step, item } : { step };
  }
  return undefined;
}

function isList({ request }: Exchange, resource: Resource): boolean {
  return request.operation === resource.list.id;
}

/** The items of a resource that an exchange was answered, one or a list. */
export function answeredItems(
  contract: Contract,
  exchange: Exchange,
  resource: Resource,
): readonly JsonObject[] {
  const [reading] = readTrace(contract, [exchange]).readings;
  const belongs = [
    resource.list,
    resource.create,
    resource.get,
    resource.replace,
    resource.update,
  ].some((operation) => operation?.id === exchange.request.operation);
  if (!reading || !belongs) return [];
  return isList(exchange, resource) ? listItems(reading) : [itemOf(reading) ?? []].flat();
}

/** Every item of a list, malformed ones too, so that positions stay what they are. */
function listItems({ json }: Reading): readonly JsonObject[] {
  return Array.isArray(json) ? json.map((item) => (isJsonObject(item) ? item : {})) : [];
}
