import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Carrier } from './carrier.ts';
import { credentialHeaders } from './credential.ts';
import { isAlike, type Draft, type WaitReason } from './draft.ts';
import {
  headerOf,
  statusOf,
  type CredentialUse,
  type Exchange,
  type Intent,
  type SentRequest,
} from './exchange.ts';
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
 * The run's way to the target: counts every request, keeps to the limit, logs every exchange. The same
 * responses and times make it do the same again.
 */
export class Session {
  readonly contract: Contract;
  readonly baseUrl: string;
  readonly exchanges: Exchange[] = [];
  /** The stretches for which requests were kept back, in their order. */
  readonly waits: RunWait[] = [];
  /** Most requests that may be sent in all; raised where only a response shows how many it takes. */
  budget: number;
  /** Id of the probe that sends the next requests. */
  probe = '';
  readonly #carrier: Carrier;
  readonly #options: SessionOptions;
  readonly #pacing: Pacing;
  #started = 0;
  #groups = 0;
  /** The last read that was served. */
  #served: Request | undefined;
  #isGone = false;
  #restUntil = 0;

  constructor(contract: Contract, carrier: Carrier, options: SessionOptions) {
    this.contract = contract;
    this.baseUrl = options.baseUrl;
    this.budget = options.budget;
    this.#carrier = carrier;
    this.#options = options;
    this.#pacing = new Pacing(contract, options.longestWait);
  }

  /** Requests that may still be sent; those that reached nobody are not counted. */
  left(): number {
    return this.budget - this.#started;
  }

  /**
   * Sends one request and resolves with the exchange that counts: the one after any 429.
   * @throws {SessionEnd} `budget`, when no request is left; `wait`, when a wait would be too long;
   *   `gone`, when the target went away and does not come back
   * @throws {UnsendableRequest} where there is no form for it; nothing is sent then
   */
  async send(request: Request): Promise<Exchange> {
    return only(await this.#sendAll([request], undefined));
  }

  /** Sends requests at the same time; as `send`. */
  async sendTogether(requests: readonly Request[]): Promise<readonly Exchange[]> {
    this.#pacing.makeRoom(requests.length);
    this.#groups += 1;
    return await this.#sendAll(requests, `together-${this.#groups}`);
  }

  /** Sends a request once, also where nothing is left; not within a wait that a response asked for. */
  async sendBeyond(request: Request): Promise<Exchange> {
    return only(await this.#sendOnce([request], undefined, () => 0));
  }

  /**
   * Keeps the next request back until the target takes requests with the key again, and until a time
   * of the suite's clock. Throws as `send` does for a wait that is too long.
   */
  rest(until = 0): void {
    this.#restUntil = Math.max(until, this.#pacing.earliest('valid'));
  }

  /** Sends all, then again those that were turned away for the rate limit. */
  async #sendAll(
    requests: readonly Request[],
    group: string | undefined,
  ): Promise<readonly Exchange[]> {
    await this.#ensureService();
    const isTaken = (exchange: Exchange): boolean => !isLimited(exchange, this.contract);
    const send = (some: readonly Request[]) => this.#sendReaching(some, group);
    let found = await send(requests);
    for (let again = 0; again < repetitions && !found.every(isTaken); again += 1)
      found = await sendAgain(requests, found, isTaken, send);
    for (const [place, each] of found.entries())
      if (isServedRead(each)) this.#served = requests[place];
    return found;
  }

  /** Repeats the last read that was served, where it is in doubt whether anything still is. */
  async #ensureService(): Promise<void> {
    if (this.#served === undefined || !isDoubtful(this.exchanges)) return;
    await this.#sendReaching([this.#served], undefined, (each) => (statusOf(each) ?? 500) < 500);
  }

  /** As `#sendOnce`, then again, each time later, those that reached nobody. */
  async #sendReaching(
    requests: readonly Request[],
    group: string | undefined,
    isReached: (exchange: Exchange) => boolean = (each) => !isUnreached(each),
  ): Promise<readonly Exchange[]> {
    let found = await this.#sendOnce(requests, group, (use) => this.#pacing.earliest(use));
    for (const pause of outagePauses) {
      if (found.every(isReached) || !wasThere(this.exchanges)) return found;
      const later = (this.exchanges.at(-1)?.endedAt ?? 0) + pause;
      const earliest = (use: CredentialUse) => Math.max(later, this.#pacing.earliest(use));
      found = await sendAgain(requests, found, isReached, (lost) =>
        this.#sendOnce(lost, group, earliest, 'return'),
      );
    }
    if (found.every(isReached)) return found;
    this.#isGone = true;
    throw endOfTarget(this.exchanges);
  }

  /** Sends requests at the same time. Of those alike, the first has the first response. */
  async #sendOnce(
    requests: readonly Request[],
    group: string | undefined,
    earliest: (use: CredentialUse) => number,
    waitsFor: WaitReason = 'limit',
  ): Promise<readonly Exchange[]> {
    const { exchanges } = this;
    if (this.#isGone) throw endOfTarget(exchanges);
    // The one place that keeps the contract's rule for clients: no request within a wait that a response asked for.
    const allowed = Math.max(this.#pacing.allowed(), this.#restUntil);
    const drafts = requests.slice(0, this.left()).map((request): Draft => {
      const completed = this.#complete(request);
      const sent = renderRequest(this.baseUrl, completed, this.exchanges);
      const notBefore = Math.max(allowed, earliest(sent.credential));
      const isBack = notBefore === this.#pacing.back;
      return {
        operation: completed.operation,
        probe: this.probe,
        intent: completed.intent,
        request: sent,
        group,
        notBefore,
        waitsFor: isBack ? 'return' : waitsFor,
      };
    });
    this.#restUntil = 0;
    this.#started += drafts.length;
    const answered = await this.#carry(drafts);
    if (drafts.length < requests.length) throw new SessionEnd('budget', planDone);
    return drafts.flatMap((draft) => answered.get(draft) ?? []);
  }

  /** Sends drafts, and logs the exchanges as they are answered. */
  async #carry(drafts: readonly Draft[]): Promise<ReadonlyMap<Draft, Exchange>> {
    const { exchanges } = this;
    const begun = exchanges.at(-1)?.endedAt ?? Infinity;
    const isHeld = drafts.some((draft) => draft.notBefore > begun);
    const before = exchanges.length;
    const answered = new Map<Draft, Exchange>();
    await this.#carrier.carry(drafts, (sent, carried) => {
      const isSent = (each: Draft): boolean => drafts.length === 1 || isAlike(each, sent);
      const draft = drafts.find((each) => !answered.has(each) && isSent(each)) ?? sent;
      const { probe, intent, request, group } = draft;
      const index = exchanges.length;
      const exchange: Exchange = { index, probe, intent, request, ...carried, group };
      exchanges.push(exchange);
      const milliseconds = exchange.sentAt - begun;
      if (isHeld && index === before && milliseconds > 0)
        this.waits.push({ before, milliseconds, reason: draft.waitsFor });
      if (isUnreached(exchange)) this.#started -= 1;
      answered.set(draft, exchange);
      this.#pacing.note(exchange);
      this.#options.onExchange?.(exchange);
    });
    return answered;
  }

  /** The request with the headers of the run, and with values for what it leaves out of its path. */
  #complete(request: Request): Request {
    const headers = { ...this.#options.headers, ...request.headers };
    const within = this.#options.within?.(request.operation);
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
  }
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
function only([exchange]: readonly Exchange[]): Exchange {
  if (exchange === undefined) throw new SessionEnd('budget', planDone);
  return exchange;
}

function isServedRead(exchange: Exchange): boolean {
  const { intent, request } = exchange;
  const isRead = intent.kind === 'valid' && request.method === 'GET';
  return isRead && (statusOf(exchange) ?? 300) < 300;
}

/**
 * A request as it is sent and logged, without the credential; `before`: the exchanges of the run.
 * Throws `UnsendableRequest`.
 */
function renderRequest(
  baseUrl: string,
  request: Request,
  before: readonly Exchange[],
): SentRequest {
  const { operation, body, encoding, credential = 'valid' } = request;
  const target = request.target ?? renderTarget(operation, request);
  const headers = Object.entries({
    ...plainHeaders(operation, body !== undefined),
    ...renderParameterHeaders(operation, request),
    ...ifMatch(request, target, before),
    ...request.headers,
  }).filter(([, value]) => value !== '');
  const method = request.method ?? operation.method;
  if (resolveTarget(baseUrl, target) === undefined)
    throw new UnsendableRequest(
      `${JSON.stringify(target)} is not a path that can follow ${baseUrl}`,
    );
  refuseUnsendable(operation, target, [
    ...headers,
    ...credentialHeaders(operation, 'key', credential),
  ]);
  const written = { operation: operation.id, method, target, headers, credential, body };
  return encoding === undefined ? written : { ...written, encoding };
}

/**
 * The `If-Match` that an operation requires: the entity tag that its target was last seen with, else
 * any (RFC 9110 section 13.1.1).
 */
function ifMatch(
  { operation, values, without }: Request,
  target: string,
  before: readonly Exchange[],
): Readonly<Record<string, string>> {
  const parameter = operation.parameters.find(
    ({ name, in: place, required }) =>
      required && place === 'header' && name.toLowerCase() === 'if-match',
  );
  if (parameter === undefined || parameter === without || values?.has(parameter)) return {};
  const [path] = target.split('?');
  const seen = before.findLast(
    ({ request, outcome }) => outcome.kind === 'answered' && request.target.split('?')[0] === path,
  );
  const tag =
    seen?.outcome.kind === 'answered' ? headerOf(seen.outcome.response, 'etag') : undefined;
  const wanted = tag?.startsWith('"') === true ? tag : '*';
  return parameter.schema.validate(wanted).length === 0
    ? { [parameter.name.toLowerCase()]: wanted }
    : {};
}
