import type { Contract, Operation, RateLimitHeaderNames } from '../contract/index.ts';
import type { Clock } from './clock.ts';
import type { Answer, CredentialUse, Exchange, Intent, Outcome } from './exchange.ts';
import type { Sender } from './sender.ts';
import type { Target } from './target.ts';
import { backOff, readRateLimit, readRetryAfter, untilReset } from './pace.ts';
import { createRedactingSender } from './redaction.ts';
import { credentialHeader } from './target.ts';

/** A request as a probe asks for it. */
export interface Request {
  readonly operation: Operation;
  readonly intent: Intent;
  /** Values of path parameters by name. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Path and query as they were sent before, in place of both. */
  readonly target?: string;
  /** The text of the body; its media type is the first that the operation takes. */
  readonly body?: string;
  /** Default `valid`. */
  readonly credential?: CredentialUse;
}

/** The run's way to the target: counts every request, keeps to the limit, logs every exchange. */
export interface Session {
  readonly contract: Contract;
  readonly exchanges: readonly Exchange[];
  /** Requests that may still be sent. */
  readonly left: () => number;
  /**
   * Sends one request and resolves with the exchange that counts: the one after any 429.
   * @throws {BudgetSpent} when no request is left
   * @throws {WaitTooLong} when the target asks for a longer wait than the run allows
   */
  readonly send: (request: Request) => Promise<Exchange>;
  /** Sends requests at the same time; as `send`. */
  readonly sendTogether: (requests: readonly Request[]) => Promise<readonly Exchange[]>;
  /** Sends requests at the same time without a look at the limit, once each: to see what lies beyond it. */
  readonly sendBeyond: (requests: readonly Request[]) => Promise<readonly Exchange[]>;
  /** Waits until the target takes requests with the key again. */
  readonly rest: () => Promise<void>;
}

/** No request of the budget is left. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** The target's limit asks for a longer wait than the run allows; `milliseconds` says how long. */
export class WaitTooLong extends Error {
  override readonly name = 'WaitTooLong';
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super(`the target asks for a wait of ${Math.ceil(milliseconds / 1000)} seconds`);
    this.milliseconds = milliseconds;
  }
}

/** The run was told to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export interface SessionOptions {
  readonly budget: number;
  /** Longest single wait for the rate limit, milliseconds. */
  readonly longestWait: number;
  readonly clock: Clock;
  readonly sender: Sender;
  /** No request is sent once it is aborted. */
  readonly signal?: AbortSignal;
  /** Told of every exchange and every wait, for people who watch. */
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onWait?: (milliseconds: number) => void;
}

/** Creates the session of one run; `probe()` names the probe that is sending. */
export function createSession(contract: Contract, target: Target, options: SessionOptions, probe: () => string): Session {
  const exchanges: Exchange[] = [];
  const pace = createPace(contract, options);
  const sender = createRedactingSender(options.sender, target.apiKey);
  let started = 0;
  let groups = 0;
  const nextGroup = (): string => `together-${(groups += 1)}`;

  const once = async (request: Request, group: string | undefined): Promise<Exchange> => {
    if (options.signal?.aborted) throw new Interrupted(`interrupted after ${started} requests`);
    if (started >= options.budget) throw new BudgetSpent('no request is left');
    started += 1;
    const sentAt = options.clock.now();
    const { outcome, sent } = await transmit(target, request, sender);
    const exchange: Exchange = { index: exchanges.length, probe: probe(), intent: request.intent, request: sent, outcome, sentAt, endedAt: options.clock.now(), group };
    exchanges.push(exchange);
    pace.note(exchange);
    options.onExchange?.(exchange);
    return exchange;
  };
  const persist = async (request: Request, group: string | undefined): Promise<Exchange> => {
    for (let limited = 0; ; limited += 1) {
      await pace.wait(request.credential ?? 'valid');
      const exchange = await once(request, group);
      if (!isLimited(exchange, contract) || limited >= 3) return exchange;
    }
  };
  return {
    contract,
    exchanges,
    left: () => options.budget - started,
    send: (request) => persist(request, undefined),
    sendTogether: async (requests) => {
      const group = nextGroup();
      await pace.makeRoom(requests.length);
      return await Promise.all(requests.map((request) => persist(request, group)));
    },
    sendBeyond: (requests) => {
      const group = requests.length > 1 ? nextGroup() : undefined;
      return Promise.all(requests.map((request) => once(request, group)));
    },
    rest: () => pace.wait('valid'),
  };
}

/** Whether an exchange was turned away for the rate limit and says nothing about anything else. */
export function isLimited(exchange: Exchange, contract: Contract): boolean {
  return exchange.outcome.kind === 'answered' && exchange.outcome.answer.status === (contract.rateLimit?.status ?? 429);
}

async function transmit(target: Target, request: Request, sender: Sender): Promise<{ outcome: Outcome; sent: Exchange['request'] }> {
  const { operation } = request;
  const use = request.credential ?? 'valid';
  const mediaType = operation.requestBody?.content[0]?.mediaType ?? 'application/json';
  const headers: [string, string][] = [['accept', 'application/json']];
  if (request.body !== undefined) headers.push(['content-type', mediaType]);
  const pathAndQuery = request.target ?? renderTarget(operation, request);
  const credential = credentialHeader(operation, target.apiKey, use);
  const outcome = await sender.send({
    url: target.baseUrl + pathAndQuery,
    method: operation.method,
    headers: credential ? [...headers, credential] : headers,
    body: request.body,
  });
  const sent = { operation: operation.id, method: operation.method, target: pathAndQuery, headers, credential: use, body: request.body };
  return { outcome, sent };
}

function renderTarget(operation: Operation, request: Request): string {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_whole, name: string) => encodeURIComponent(request.path?.[name] ?? ''));
  const query = new URLSearchParams(request.query).toString();
  return query === '' ? path : `${path}?${query}`;
}

interface Pace {
  /** Waits for the next window where this one has not so many requests left for the key, and a window has so many at all. */
  readonly makeRoom: (requests: number) => Promise<void>;
  readonly note: (exchange: Exchange) => void;
  readonly wait: (credential: CredentialUse) => Promise<void>;
}

/** Whose count a request goes on: the key's, or that of callers without one. */
function bucketOf(credential: CredentialUse): string {
  return credential === 'valid' ? 'key' : 'others';
}

/** Keeps every sender back until the target takes requests again. Keys that are not the key are counted apart from it. */
function createPace(contract: Contract, options: SessionOptions): Pace {
  const notBefore = new Map<string, number>();
  const refusals = new Map<string, number>();
  let latest: Answer | undefined;
  const names = contract.rateLimit?.headers;
  return {
    note: (exchange) => {
      if (exchange.outcome.kind !== 'answered') return;
      const bucket = bucketOf(exchange.request.credential);
      if (bucket === 'key') latest = exchange.outcome.answer;
      const limited = isLimited(exchange, contract);
      const inARow = limited ? (refusals.get(bucket) ?? 0) + 1 : 0;
      refusals.set(bucket, inARow);
      const counted = exchange.request.credential === 'valid' ? names : undefined;
      const pause = pauseAfter(exchange.outcome.answer, counted, limited, inARow, exchange.endedAt, names?.retryAfter ?? 'retry-after');
      // Retry-After takes the place of a wait for Reset; of several refusals together the longest counts.
      const floor = limited && inARow === 1 ? 0 : (notBefore.get(bucket) ?? 0);
      if (pause > 0 || limited) notBefore.set(bucket, Math.max(floor, exchange.endedAt + pause));
    },
    makeRoom: async (requests) => {
      const { limit, remaining } = latest && names ? readRateLimit(latest, names) : { limit: undefined, remaining: undefined };
      if (!latest || !names || limit === undefined || remaining === undefined || remaining >= requests || limit < requests) return;
      const pause = untilReset(latest, names, options.clock.now()) ?? 0;
      notBefore.set('key', Math.max(notBefore.get('key') ?? 0, options.clock.now() + pause));
    },
    wait: async (credential) => {
      const pause = (notBefore.get(bucketOf(credential)) ?? 0) - options.clock.now();
      if (pause <= 0) return;
      if (pause > options.longestWait) throw new WaitTooLong(pause);
      options.onWait?.(pause);
      await options.clock.sleep(pause, options.signal);
    },
  };
}

/** How long to wait after an answer. Callers without the key wait for nobody's Reset: what they have left is not promised. */
function pauseAfter(answer: Answer, names: RateLimitHeaderNames | undefined, limited: boolean, inARow: number, now: number, retryAfter: string): number {
  if (limited) return readRetryAfter(answer, retryAfter, now) ?? backOff(inARow);
  if (!names || readRateLimit(answer, names).remaining !== 0) return 0;
  return untilReset(answer, names, now) ?? 0;
}
