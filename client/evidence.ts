import {
  type ClientIntent,
  type Exchange,
  isPreflight,
  type ParameterTexts,
  type ReceivedResponse,
  routerOf,
  type SentRequest,
} from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import type { ClientFacts, ClientLog } from './log.ts';

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
  readonly texts: ParameterTexts;
  /** Undefined where none was sent. */
  readonly response: ReceivedResponse | undefined;
  /** No request came before it on its connection. */
  readonly isFirst: boolean;
  /** Connections of its scenario that were opened while another request had no response, in order. */
  readonly parallel: readonly { readonly opened: number; readonly arrived: number }[];
}

/** Reads a log. Exchanges that no client sent are left out, preflights too. */
export function readEvidence(contract: Contract, log: ClientLog, facts: ClientFacts): Evidence {
  const byScenario = Map.groupBy(log.exchanges, ({ probe }) => probe);
  const entries = [...byScenario.values()].flatMap((each) => [...readScenario(contract, each)]);
  return { contract, log, facts, entries: entries.toSorted((a, b) => a.index - b.index) };
}

function* readScenario(contract: Contract, exchanges: readonly Exchange[]): Generator<Entry> {
  const used = new Set<number>();
  const parallel: Entry['parallel'][number][] = [];
  let lastResponse = 0;
  for (const exchange of exchanges) {
    const { index, intent, request, outcome } = exchange;
    if (intent.kind !== 'client') continue;
    const { connection, times } = intent;
    const isFirst = connection !== undefined && !used.has(connection);
    if (connection !== undefined) used.add(connection);
    if (isFirst && times !== undefined && times.opened < lastResponse) parallel.push(times);
    lastResponse = Math.max(lastResponse, sentInFull(exchange));
    if (isPreflight(request)) continue;
    const { method, target, headers } = request;
    const route = routerOf(contract)(method, target);
    yield {
      exchange,
      index,
      intent,
      request,
      operation: route.kind === 'operation' ? route.operation : undefined,
      texts: {
        path: route.kind === 'operation' ? route.texts : new Map(),
        query: new URLSearchParams(target.split('?')[1] ?? ''),
        headers,
      },
      response: outcome.kind === 'answered' ? outcome.response : undefined,
      isFirst,
      parallel,
    };
  }
}

/** When a response was sent to its end, on the scale of the times of connections. */
function sentInFull({ intent, sentAt, endedAt }: Exchange): number {
  const arrived = intent.kind === 'client' ? intent.times?.arrived : undefined;
  return (arrived ?? sentAt) + endedAt - sentAt;
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

/** How far the rules let a client go: its clock, timers and network are not those of the mock. */
export const limits = {
  /** Milliseconds that a wait in seconds may be too short: timers fire early, clocks tick. */
  early: 100,
  /** Milliseconds that a wait until a date or a time in whole seconds may be too short. */
  earlyDate: 500,
  /** Milliseconds after a response within which the next request may have been on its way. */
  onTheWay: 100,
  /** The same where the request is the same as the one answered: rather the next try. */
  onTheWayAgain: 10,
  /** The same where its connection was opened before the response: a slow machine needs longer. */
  onTheWayOpened: 1000,
  /** Waits in a row that it takes to see whether they grow. */
  waits: 3,
  /** How many times as long as one before it a wait has to be for the waits to grow. */
  growth: 1.1,
  /** And by how many milliseconds: less is the chance of timers. */
  growthLeast: 50,
  /** Requests in a row with a key that is answered 401. */
  refusedKey: 3,
  /** Repetitions of a request that may have been done. */
  repeats: 1,
} as const;

/**
 * What a client can have known of a response when it sent a later request. `doubtful`: it came in
 * so soon that it may have been on its way, and nothing but the tolerance says so.
 */
export type Knowledge = 'known' | 'doubtful' | 'unknown';

/**
 * On one connection a client has read a response before it sends again. What it sends on a
 * connection that it opened after it closed that of the response, it sends knowing it, unless it
 * sends several requests at once, of which one may not know of another. What came in first on a
 * connection that was opened before the response was sent was on its way. Where the clock was set
 * back nothing is known.
 */
export function knowledgeOf(later: Entry, earlier: Entry): Knowledge {
  if (isOpenedAfterClosing(later, earlier) && !isParallel(later, earlier)) return 'known';
  const since = later.exchange.sentAt - earlier.exchange.endedAt;
  if (since < 0) return 'unknown';
  const { connection } = earlier.intent;
  if (connection !== undefined && connection === later.intent.connection)
    return since > 0 ? 'known' : 'doubtful';
  const { times } = later.intent;
  const isOpenedBefore =
    later.isFirst && times !== undefined && times.opened < sentInFull(earlier.exchange);
  if (isOpenedBefore && since <= limits.onTheWayOpened)
    return since > limits.onTheWay ? 'doubtful' : 'unknown';
  if (since > limits.onTheWay) return 'known';
  return since > limits.onTheWayAgain && isSameRequest(later, earlier) ? 'known' : 'doubtful';
}

export function knows(later: Entry, earlier: Entry): boolean {
  return knowledgeOf(later, earlier) === 'known';
}

/** A response that had not been sent when its connection was closed is not known. */
function isOpenedAfterClosing({ intent: { times } }: Entry, { exchange, intent }: Entry): boolean {
  const closed = intent.times?.closed;
  if (times === undefined || closed === undefined) return false;
  return times.opened > closed && closed > sentInFull(exchange);
}

/**
 * Whether the client was sending several requests at once about when it opened the connection of
 * the later one. A request that was sent before is no other one: it is sent again.
 */
function isParallel(later: Entry, earlier: Entry): boolean {
  const [opened, from] = [later.intent.times?.opened ?? 0, earlier.intent.times?.arrived ?? 0];
  const others = later.parallel.filter(({ arrived }) => arrived > from - limits.onTheWay);
  if (!isSameRequest(later, earlier))
    return others.some((other) => other.opened <= opened + limits.onTheWay);
  return later.request.body === undefined && others.some((other) => other.opened < opened);
}

/** Whether method, target and body are the same. What is not there to its end is not compared. */
export function isSameRequest(a: Entry, b: Entry): boolean {
  const isSame =
    a.request.method === b.request.method &&
    a.request.target === b.request.target &&
    a.request.body === b.request.body;
  return isSame && a.intent.isWhole && b.intent.isWhole;
}

/** Whether no response came, or the client closed the connection before it was there. */
export function isLost(entry: Entry): boolean {
  const closed = entry.intent.times?.closed;
  return (
    entry.response === undefined || (closed !== undefined && closed < sentInFull(entry.exchange))
  );
}

export function isSuccess({ response }: Entry): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** A request in a few words: `POST /pets`. */
export function nameRequest({ request: { method, target } }: Entry): string {
  return `${method} ${target}`;
}

/** Milliseconds in seconds: `1.25 s`. */
export function nameSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds) / 1000} s`;
}
