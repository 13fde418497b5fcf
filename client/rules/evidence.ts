import type {
  ReceivedResponse,
  ClientIntent,
  Exchange,
  SentRequest,
} from '../../conformance/index.ts';
import { type Contract, type JsonValue, type Operation, parseJson } from '../../contract/index.ts';
import { limits } from './limits.ts';
import type { ClientFacts, ClientLog } from '../log/log.ts';

export interface Evidence {
  readonly contract: Contract;
  readonly log: ClientLog;
  readonly facts: ClientFacts;
  /** The exchanges of the log that a client sent, in the order in which they came in. */
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly exchange: Exchange;
  readonly index: number;
  readonly intent: ClientIntent;
  readonly request: SentRequest;
  /** Undefined for what the document does not describe. */
  readonly operation: Operation | undefined;
  /** Undefined where none was sent. */
  readonly response: ReceivedResponse | undefined;
}

/** Reads a log. Exchanges that no client sent are left out. */
export function readEvidence(contract: Contract, log: ClientLog, facts: ClientFacts): Evidence {
  const entries = log.exchanges.flatMap((exchange) => readEntry(contract, exchange) ?? []);
  return { contract, log, facts, entries };
}

function readEntry({ operations }: Contract, exchange: Exchange): Entry | undefined {
  const { index, intent, request, outcome } = exchange;
  if (intent.kind !== 'client') return undefined;
  const operation = operations.find(({ id }) => id === request.operation);
  const response = outcome.kind === 'answered' ? outcome.response : undefined;
  return { exchange, index, intent, request, operation, response };
}

export function wantsKey({ credential }: Operation): boolean {
  return credential.kind !== 'none';
}

/** The entries of each key, in order. Those without a valid key are of none, if one is wanted. */
export function entriesByKey({ contract, entries }: Evidence): readonly (readonly Entry[])[] {
  const isKeyWanted = contract.operations.some(wantsKey);
  const own = entries.filter(({ intent }) => !isKeyWanted || intent.key !== undefined);
  return [...Map.groupBy(own, ({ intent }) => `${intent.scenario} ${intent.key ?? ''}`).values()];
}

/**
 * Whether the client can have known a response when it sent a later request. On one connection it
 * has read the response before it sends again; on others the request may have been on its way, and
 * where the clock was set back nothing is known.
 */
export function knows(later: Entry, earlier: Entry): boolean {
  const choice = later.exchange.sentAt - earlier.exchange.endedAt;
  const { connection } = earlier.intent;
  if (connection !== undefined && connection === later.intent.connection) return choice > 0;
  return choice > (isSameRequest(later, earlier) ? limits.onTheWayAgain : limits.onTheWay);
}

/** Whether method, target and body are the same. What is not there to its end is not compared. */
export function isSameRequest(a: Entry, b: Entry): boolean {
  const isSame =
    a.request.method === b.request.method &&
    a.request.target === b.request.target &&
    a.request.body === b.request.body;
  return isSame && a.intent.isWhole && b.intent.isWhole;
}

export function isSuccess({ response }: Entry): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** A text as JSON; undefined where it is none. */
export function readJson(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

/** A request in a few words: `POST /pets`. */
export function nameRequest({ request: { method, target } }: Entry): string {
  return `${method} ${target}`;
}

/** Milliseconds in seconds: `1.25 s`. */
export function nameSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds) / 1000} s`;
}
