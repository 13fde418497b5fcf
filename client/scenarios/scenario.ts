import type { Exchange } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import type { FaultRule } from '../../mock/index.ts';
import { isPreflight } from '../log/preflight.ts';

/**
 * What a client goes through: what the service is like for it, and what happens while it works. A
 * value; the rules judge what the client sends meanwhile.
 */
export interface Scenario {
  /** Kebab-case, stable: it is in logs and reports, and in the environment of the client. */
  readonly id: string;
  readonly sentence: string;
  readonly needs: Need;
  readonly start: Step;
  /** What happens just before a request is answered, by the number of the request, from 1. */
  readonly steps: ReadonlyMap<number, Step>;
  /** The JSON body of a response as it is sent, in place of the service's. */
  readonly alter: ((body: JsonValue) => JsonValue) | undefined;
  /** The client is to end with exit code 0 all the same. */
  readonly mustSucceed: boolean;
  /** Answers break the contract here, so that no requirement says how a client takes them. */
  readonly breaksContract: boolean;
}

export interface Need {
  /** Id of the operation; undefined: any request. */
  readonly operation: string | undefined;
  readonly requests: number;
}

/** A change of the service. What is left out stays as it is. */
export interface Step {
  /** The items of each collection, made of those that there are. */
  readonly items?: (items: readonly JsonObject[], resource: Resource) => readonly JsonObject[];
  /** Choices by the kind of the open question. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly faults?: readonly FaultRule[];
  /** Requests that are left of the shortest window, and when it ends. */
  readonly quota?: { readonly left: number; readonly seconds: number };
  /** The key is banned for so long. */
  readonly banSeconds?: number;
  /** The time is this from now on, ISO 8601. */
  readonly now?: string;
}

/** What is out of the ordinary in a scenario. */
export type ScenarioDraft = Pick<Scenario, 'id' | 'sentence'> & Partial<Scenario>;

/** Makes the scenario of a kind; undefined where it cannot happen under the contract. */
export type ScenarioMaker = (contract: Contract) => ScenarioDraft | undefined;

/** What a client would have had to send for a scenario to happen; undefined where it happened. */
export function explainUnmet(
  { needs: { operation, requests } }: Scenario,
  exchanges: readonly Exchange[],
): string | undefined {
  const sent = exchanges.filter(({ request }) =>
    operation === undefined ? !isPreflight(request) : request.operation === operation,
  ).length;
  if (sent >= requests) return undefined;
  const wanted =
    operation === undefined
      ? countRequests(requests)
      : `${requests === 1 ? 'a request' : countRequests(requests)} to ${operation}`;
  return `it needs ${wanted}, and the client sent ${sent === 0 ? 'none' : sent}`;
}

function countRequests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}
