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
import { isCredential, type SecurityAlternative } from '../contract/openapi/credential.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import type { ClientFacts, ClientLog } from './log.ts';

export interface Evidence {
  readonly contract: Contract;
  readonly log: ClientLog;
  readonly facts: ClientFacts;
  /** Exchanges that the client sent, in the order of their arrival. */
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly exchange: Exchange;
  readonly index: number;
  readonly intent: ClientIntent;
  readonly request: SentRequest;
  /** Undefined if the document does not describe the request. */
  readonly operation: Operation | undefined;
  readonly texts: ParameterTexts;
  /** Undefined if none was sent. */
  readonly response: ReceivedResponse | undefined;
  /** It is the first request on its connection. */
  readonly isFirst: boolean;
  /**
   * Connections of the scenario that were opened while another request was unanswered, in order.
   */
  readonly parallel: readonly { readonly opened: number; readonly arrived: number }[];
}

/** Reads a log. Skips exchanges that no client sent, and preflights. */
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

/** When the last byte of a response was sent, on the time scale of connections. */
function sentInFull({ intent, sentAt, endedAt }: Exchange): number {
  const arrived = intent.kind === 'client' ? intent.times?.arrived : undefined;
  return (arrived ?? sentAt) + endedAt - sentAt;
}

/** How a request can authenticate: as its operation says, else as any operation does. */
export function securityOf(
  { operations }: Contract,
  operation: Operation | undefined,
): readonly SecurityAlternative[] {
  const own = operation?.security.some((schemes) => schemes.some(isCredential)) ?? false;
  return (own ? [operation] : operations).flatMap((each) => each?.security ?? []);
}

/**
 * The entries of each key, in order. If the document requires a key, entries without a valid key
 * are left out.
 */
export function entriesByKey({ contract, entries }: Evidence): readonly (readonly Entry[])[] {
  const isKeyWanted = contract.usualSecurity.length > 0;
  const own = entries.filter(({ intent }) => !isKeyWanted || intent.key !== undefined);
  return [...Map.groupBy(own, ({ intent }) => `${intent.scenario} ${intent.key ?? ''}`).values()];
}

/**
 * Tolerances of the rules, because the client's clock, timers and network are not those of the
 * mock.
 */
export const limits = {
  /**
   * Milliseconds by which a wait in seconds may be too short: timers fire early, clocks have ticks.
   */
  early: 100,
  /** Milliseconds by which a wait until a date or a time in whole seconds may be too short. */
  earlyDate: 500,
  /**
   * A request that arrives within this many milliseconds after a response may have been sent before
   * the client read it.
   */
  onTheWay: 100,
  /** The same for a repetition of the request, which is more likely a retry. */
  onTheWayAgain: 10,
  /** The same if its connection was opened before the response: slow machines need longer. */
  onTheWayOpened: 1000,
  /** Consecutive waits needed to see whether they grow. */
  waits: 3,
  /** Waits grow if one is at least this many times as long as an earlier one, */
  growth: 1.1,
  /** and longer by this many milliseconds. Smaller differences may be timer jitter. */
  growthLeast: 50,
  /** Consecutive requests with a key that gets a 401. */
  refusedKey: 3,
  /** Repetitions of a request that may have been executed. */
  repeats: 1,
} as const;

/**
 * Whether a client knew a response when it sent a later request. `doubtful`: the request arrived so
 * soon that it may have been sent earlier, and only the tolerance excuses it.
 */
export type Knowledge = 'known' | 'doubtful' | 'unknown';

/**
 * On the same connection, the client has read the response before it sends again. On a connection
 * opened after it closed that of the response, it knows the response too, unless it sends requests
 * in parallel, which may not know of each other. The first request on a connection that was opened
 * before the response was sent may have been on its way. A request that arrived before the response
 * ended, or after the clock was set back, shows nothing.
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

/** A response that was not complete when its connection was closed is not known. */
function isOpenedAfterClosing({ intent: { times } }: Entry, { exchange, intent }: Entry): boolean {
  const closed = intent.times?.closed;
  if (times === undefined || closed === undefined) return false;
  return times.opened > closed && closed > sentInFull(exchange);
}

/**
 * Whether the client was sending requests in parallel at about the time when it opened the
 * connection of the later one. The same request sent before does not count: it is a retry.
 */
function isParallel(later: Entry, earlier: Entry): boolean {
  const [opened, from] = [later.intent.times?.opened ?? 0, earlier.intent.times?.arrived ?? 0];
  const others = later.parallel.filter(({ arrived }) => arrived > from - limits.onTheWay);
  if (!isSameRequest(later, earlier))
    return others.some((other) => other.opened <= opened + limits.onTheWay);
  return later.request.body === undefined && others.some((other) => other.opened < opened);
}

/** Whether method, target and body are the same. Truncated requests are never the same. */
export function isSameRequest(a: Entry, b: Entry): boolean {
  const isSame =
    a.request.method === b.request.method &&
    a.request.target === b.request.target &&
    a.request.body === b.request.body;
  return isSame && a.intent.isWhole && b.intent.isWhole;
}

/** Whether no response was sent, or the client closed the connection before it was complete. */
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

export function nameSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds) / 1000} s`;
}
