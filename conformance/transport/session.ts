import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Carrier } from './carrier.ts';
import { credentialHeaders } from './credential.ts';
import { isAlike, type Draft, type WaitReason } from './draft.ts';
import { statusOf, type CredentialUse, type Exchange, type Intent } from './exchange.ts';
import {
  endOfTarget,
  isDoubtful,
  isUnreached,
  outagePauses,
  wasThere,
  Pacing,
  isLimited,
  planDone,
  SessionEnd,
} from './pacing.ts';
import {
  type ParameterChoice,
  renderParameterHeaders,
  renderTarget,
  refuseUnsendable,
  UnsendableRequest,
} from './request-parts.ts';
import { plainHeaders } from './request-headers.ts';
import { resolveTarget } from './target.ts';

/** A request as a probe asks for it. */
export interface Request extends ParameterChoice {
  readonly operation: Operation;
  readonly intent: Intent;
  /** Path and query as they were sent before, in place of both. */
  readonly target?: string;
  /** The text of the body; its media type is the JSON that the operation takes, else the first. */
  readonly body?: string;
  /** Default UTF-8. */
  readonly encoding?: 'latin1';
  /** Default: the operation's. */
  readonly method?: string;
  /** In the place of those of the same name that are sent else; an empty value leaves them out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `valid`. */
  readonly credential?: CredentialUse;
}

/**
 * A stretch in which a run sent nothing, since it was asked to wait or nobody was there: from the end of
 * the exchange before to the start of this one.
 */
export interface RunWait {
  /** Index of the exchange that was sent after it. */
  readonly before: number;
  /** By the suite's clock. */
  readonly milliseconds: number;
  readonly reason: WaitReason;
}

/** The run's way to the target: counts every request, keeps to the limit, logs every exchange. */
export interface Session {
  readonly contract: Contract;
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
  /** The stretches for which requests were kept back, in their order. */
  readonly waits: readonly RunWait[];
  /** Requests that may still be sent; those that reached nobody are not counted. */
  readonly left: () => number;
  /** Most requests that may be sent in all. */
  readonly budget: () => number;
  /** Allows more requests, where only a response shows how many it takes; or so many fewer. */
  readonly extend: (requests: number) => void;
  /**
   * Sends one request and resolves with the exchange that counts: the one after any 429.
   * @throws {SessionEnd} `budget`, when no request is left; `wait`, when a wait would be too long;
   *   `gone`, when the target went away and does not come back
   * @throws {UnsendableRequest} where there is no form for it; nothing is sent then
   */
  readonly send: (request: Request) => Promise<Exchange>;
  /** Sends requests at the same time; as `send`. */
  readonly sendTogether: (requests: readonly Request[]) => Promise<readonly Exchange[]>;
  /** Sends a request once, also where nothing is left; not within a wait that a response asked for. */
  readonly sendBeyond: (request: Request) => Promise<Exchange>;
  /**
   * Keeps the next request back until the target takes requests with the key again, and until a time
   * of the suite's clock. Throws as `send` does for a wait that is too long.
   */
  readonly rest: (until?: number) => void;
}

/** Values of the path parameters above a collection, by name. */
export interface Within {
  readonly path: Readonly<Record<string, string>>;
  /** Names of those whose value is an example of the document, or made up. */
  readonly guessed: readonly string[];
}

export interface SessionOptions {
  readonly baseUrl: string;
  readonly budget: number;
  /** Stand in every request beside its own, names in small letters. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values for the path parameters above a collection, which requests leave out; some are guesses. */
  readonly within?: (operation: Operation) => Within | undefined;
  /** Longest single wait that the target may ask for, milliseconds. */
  readonly longestWait: number;
  /** Called with every exchange, to show progress. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Times that a request is sent again when it is turned away for the rate limit. */
const repetitions = 3;

/**
 * Creates the session of one run; `probe()` names the probe that is sending. The same responses
 * and times make it do the same again.
 */
export function createSession(
  contract: Contract,
  carrier: Carrier,
  options: SessionOptions,
  probe: () => string,
): Session {
  const exchanges: Exchange[] = [];
  const waits: RunWait[] = [];
  const pacing = new Pacing(contract, options.longestWait);
  let started = 0;
  let groups = 0;
  let served: Request | undefined;
  let isGone = false;
  let restUntil = 0;
  const nextGroup = (): string => `together-${(groups += 1)}`;
  const { baseUrl } = options;
  let { budget } = options;
  const complete = (request: Request): Request => {
    const headers = { ...options.headers, ...request.headers };
    const within = options.within?.(request.operation);
    if (within === undefined || request.target !== undefined) return { ...request, headers };
    const { intent, path } = request;
    const guessed = within.guessed.filter((name) => path?.[name] === undefined);
    const isGuess = intent.kind === 'valid' && guessed.length > 0;
    return {
      ...request,
      headers,
      path: { ...within.path, ...path },
      intent: isGuess ? { ...intent, guessed: [...(intent.guessed ?? []), ...guessed] } : intent,
    };
  };
  const left = (): number => budget - started;
  const isTaken = (exchange: Exchange): boolean => !isLimited(exchange, contract);

  /** Sends requests at the same time. Of those alike, the first has the first response. */
  const sendOnce = async (
    requests: readonly Request[],
    group: string | undefined,
    earliest: (use: CredentialUse) => number,
    waitsFor: WaitReason = 'limit',
  ): Promise<readonly Exchange[]> => {
    if (isGone) throw endOfTarget(exchanges);
    // The one place that keeps the contract's rule for clients: no request within a wait that a response asked for.
    const allowed = Math.max(pacing.allowed(), restUntil);
    const hold = (use: CredentialUse): Pick<Draft, 'notBefore' | 'waitsFor'> => {
      const notBefore = Math.max(allowed, earliest(use));
      return { notBefore, waitsFor: notBefore === pacing.back ? 'return' : waitsFor };
    };
    const drafts = requests
      .slice(0, left())
      .map((request) => createDraft(baseUrl, complete(request), probe(), group, hold));
    restUntil = 0;
    started += drafts.length;
    const begun = exchanges.at(-1)?.endedAt ?? Infinity;
    const isHeld = drafts.some((draft) => draft.notBefore > begun);
    const before = exchanges.length;
    const answered = new Map<Draft, Exchange>();
    await carrier.carry(drafts, (sent, carried) => {
      const isSent = (each: Draft): boolean => drafts.length === 1 || isAlike(each, sent);
      const draft = drafts.find((each) => !answered.has(each) && isSent(each)) ?? sent;
      const { probe: by, intent, request } = draft;
      const index = exchanges.length;
      const exchange: Exchange = { index, probe: by, intent, request, ...carried, group };
      exchanges.push(exchange);
      const milliseconds = exchange.sentAt - begun;
      if (isHeld && index === before && milliseconds > 0)
        waits.push({ before, milliseconds, reason: draft.waitsFor });
      if (isUnreached(exchange)) started -= 1;
      answered.set(draft, exchange);
      pacing.note(exchange);
      options.onExchange?.(exchange);
    });
    if (drafts.length < requests.length) throw new SessionEnd('budget', planDone);
    return drafts.flatMap((draft) => answered.get(draft) ?? []);
  };
  /** As `sendOnce`, then again, each time later, those that reached nobody. */
  const sendReaching = async (
    requests: readonly Request[],
    group: string | undefined,
    isReached: (exchange: Exchange) => boolean = (each) => !isUnreached(each),
  ): Promise<readonly Exchange[]> => {
    let found = await sendOnce(requests, group, (use) => pacing.earliest(use));
    for (const pause of outagePauses) {
      if (found.every(isReached) || !wasThere(exchanges)) return found;
      const later = (exchanges.at(-1)?.endedAt ?? 0) + pause;
      const earliest = (use: CredentialUse): number => Math.max(later, pacing.earliest(use));
      found = await sendAgain(requests, found, isReached, (lost) =>
        sendOnce(lost, group, earliest, 'return'),
      );
    }
    if (found.every(isReached)) return found;
    isGone = true;
    throw endOfTarget(exchanges);
  };
  /** Repeats the last read that was served, where it is in doubt whether anything still is. */
  const ensureService = async (): Promise<void> => {
    if (served === undefined || !isDoubtful(exchanges)) return;
    await sendReaching([served], undefined, (each) => (statusOf(each) ?? 500) < 500);
  };
  /** As `sendReaching`, then again those that were turned away for the rate limit. */
  const sendAll = async (
    requests: readonly Request[],
    group: string | undefined,
  ): Promise<readonly Exchange[]> => {
    await ensureService();
    let found = await sendReaching(requests, group);
    for (let again = 0; again < repetitions && !found.every(isTaken); again += 1)
      found = await sendAgain(requests, found, isTaken, (refused) => sendReaching(refused, group));
    for (const [place, each] of found.entries()) if (isServedRead(each)) served = requests[place];
    return found;
  };
  return {
    contract,
    baseUrl,
    exchanges,
    waits,
    left,
    budget: () => budget,
    extend: (requests) => void (budget += requests),
    send: (request) => takeOnly(sendAll([request], undefined)),
    sendTogether: async (requests) => {
      pacing.makeRoom(requests.length);
      return await sendAll(requests, nextGroup());
    },
    sendBeyond: (request) => takeOnly(sendOnce([request], undefined, () => 0)),
    rest: (until = 0) => void (restUntil = Math.max(until, pacing.earliest('valid'))),
  };
}

/** The exchanges that count of requests, those in the place of others that were not `isDone`. */
async function sendAgain(
  requests: readonly Request[],
  found: readonly Exchange[],
  isDone: (exchange: Exchange) => boolean,
  send: (requests: readonly Request[]) => Promise<readonly Exchange[]>,
): Promise<readonly Exchange[]> {
  const places = found.flatMap((each, place) => (isDone(each) ? [] : [place]));
  const sent = await send(requests.filter((_request, place) => places.includes(place)));
  return found.map((each, place) => sent[places.indexOf(place)] ?? each);
}

/** The exchange of a request that was sent alone. */
async function takeOnly(sending: Promise<readonly Exchange[]>): Promise<Exchange> {
  const [exchange] = await sending;
  if (exchange === undefined) throw new SessionEnd('budget', planDone);
  return exchange;
}

function isServedRead(exchange: Exchange): boolean {
  const { intent, request } = exchange;
  const isRead = intent.kind === 'valid' && request.method === 'GET';
  return isRead && (statusOf(exchange) ?? 300) < 300;
}

function createDraft(
  baseUrl: string,
  request: Request,
  probe: string,
  group: string | undefined,
  hold: (use: CredentialUse) => Pick<Draft, 'notBefore' | 'waitsFor'>,
): Draft {
  const { operation, intent, body, encoding, credential = 'valid' } = request;
  const headers = Object.entries({
    ...plainHeaders(operation, body !== undefined),
    ...renderParameterHeaders(operation, request),
    ...request.headers,
  }).filter(([, value]) => value !== '');
  const target = request.target ?? renderTarget(operation, request);
  const method = request.method ?? operation.method;
  const written = { operation: operation.id, method, target, headers, credential, body };
  const sent = encoding === undefined ? written : { ...written, encoding };
  if (resolveTarget(baseUrl, target) === undefined)
    throw new UnsendableRequest(
      `${JSON.stringify(target)} is not a path that can follow ${baseUrl}`,
    );
  refuseUnsendable(operation, target, [
    ...headers,
    ...credentialHeaders(operation, 'key', credential),
  ]);
  return {
    operation,
    probe,
    intent,
    request: sent,
    group,
    ...hold(credential),
  };
}
