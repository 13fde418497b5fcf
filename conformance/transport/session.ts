import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { essence, isForm, memberContent } from '../../contract/openapi/media-type.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { largest } from '../../contract/list/list.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import { renderPlainText, renderRequestBody } from '../generate/request-body.ts';
import { idOfTag } from '../generate/template.ts';
import { tellCount } from './body-intake.ts';
import { type Carrier, isAlike, type Draft, type WaitReason } from './carrier.ts';
import { withCredential } from './credential.ts';
import {
  headerOf,
  statusOf,
  type CredentialUse,
  type Exchange,
  readJson,
  type Intent,
  type SentRequest,
} from './exchange.ts';
import {
  endOfTarget,
  isDoubtful,
  isUnreached,
  outagePauses,
  hasEverResponded,
  Pacing,
  isLimited,
  planDone,
  SessionEnd,
} from './pacing.ts';
import {
  idempotencyNames,
  type ParameterChoice,
  renderParameterHeaders,
  renderTarget,
  refuseUnsendable,
  UnsendableRequest,
  plainHeaders,
} from './request-parts.ts';
import { resolveTarget } from './target.ts';

/** A request as a probe describes it. */
export interface Request extends ParameterChoice {
  readonly operation: Operation;
  readonly intent: Intent;
  /** Path and query exactly as sent before; replaces both. */
  readonly target?: string;
  /** The body text. Its media type is the operation's JSON type, else its first one. */
  readonly body?: string;
  /** Default UTF-8. */
  readonly encoding?: 'latin1';
  /** Default: the operation's. */
  readonly method?: string;
  /** Override headers of the same name; an empty value removes the header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `valid`. */
  readonly credential?: CredentialUse;
}

/**
 * A period in which a run sent nothing, because it was asked to wait or the target was unreachable:
 * from the end of the previous exchange to the start of this one.
 */
export interface RunWait {
  /** Index of the exchange that was sent after it. */
  readonly before: number;
  /** By the suite's clock. */
  readonly milliseconds: number;
  readonly reason: WaitReason;
}

/** Path parameters of the parents of a collection, by name. */
export interface Within {
  readonly path: Readonly<Record<string, string>>;
  /** Names of the parameters whose value is an example from the document, or made up. */
  readonly guessed: readonly string[];
}

export interface SessionOptions {
  readonly baseUrl: string;
  readonly budget: number;
  /** Sent with every request, besides its own headers. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values for parent path parameters that requests leave out; some are guesses. */
  readonly within?: (operation: Operation) => Within | undefined;
  /** Longest single wait that the target may ask for, in milliseconds. */
  readonly longestWait: number;
  /** Returns a text that no other request has. Default: always the same one. */
  readonly nextTag?: () => string;
  /** Called after every exchange, to show progress. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Most characters of one request body, and of all in a run; each request adds to them more than most use. */
export const maxSentBody = 256 * 1024;
const maxSent = 8 * 1024 * 1024;
const addedBySent = 8 * 1024;

/** How often a request is repeated after a 429. */
const repetitions = 3;

/**
 * Sends the requests of a run: counts them, obeys the rate limit, and logs every exchange.
 * Deterministic for the same responses and times.
 */
export class Session {
  readonly contract: Contract;
  readonly baseUrl: string;
  readonly exchanges: Exchange[] = [];
  /** The periods in which requests were held back, in order. */
  readonly waits: RunWait[] = [];
  /** Total requests that may be sent. Raised if only a response shows how many are needed. */
  budget: number;
  /** Id of the probe that sends the next requests. */
  probe = '';
  readonly #carrier: Carrier;
  readonly #options: SessionOptions;
  readonly #pacing: Pacing;
  #started = 0;
  #groups = 0;
  /** The last read that was accepted. */
  #served: Request | undefined;
  #isGone = false;
  #restUntil = 0;
  /** Characters of bodies that may still be sent: the log keeps them. */
  #sendable = maxSent;

  constructor(contract: Contract, carrier: Carrier, options: SessionOptions) {
    this.contract = contract;
    this.baseUrl = options.baseUrl;
    this.budget = options.budget;
    this.#carrier = carrier;
    this.#options = options;
    this.#pacing = new Pacing(contract, options.longestWait);
  }

  /** Requests left in the budget. Requests that did not reach the target do not count. */
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
    return only(await this.#sendAll([request]));
  }

  /** Sends requests concurrently; otherwise like `send`. */
  async sendTogether(requests: readonly Request[]): Promise<readonly Exchange[]> {
    this.#pacing.makeRoom(requests.length);
    this.#groups += 1;
    return await this.#sendAll(requests, `together-${this.#groups}`);
  }

  /**
   * Sends a request once, even if the rate limit is used up, but not before the end of a
   * `Retry-After`.
   */
  async sendBeyond(request: Request): Promise<Exchange> {
    const sending: Sending = { request };
    await this.#sendOnce([sending], { isBeyond: true });
    return only(exchangesOf([sending]));
  }

  /**
   * Delays the next request until the target accepts requests with the key again, and until a time
   * of the suite's clock. Throws like `send` if the wait is too long.
   */
  rest(until = 0): void {
    this.#restUntil = Math.max(until, this.#pacing.earliest('valid'));
  }

  async #sendAll(requests: readonly Request[], group?: string): Promise<readonly Exchange[]> {
    // If it is unclear whether the target still serves anything, the last accepted read is
    // repeated.
    if (this.#served !== undefined && isDoubtful(this.exchanges))
      await this.#sendUntil([this.#served], (each) => (statusOf(each) ?? 500) < 500);
    const found = await this.#sendUntil(requests, (each) => !isUnreached(each), group);
    for (const [place, each] of found.entries())
      if (isServedRead(each)) this.#served = requests[place];
    return found;
  }

  /**
   * Sends requests. Repeats those that did not reach the target, with growing delays, and a few
   * times those that got a 429.
   */
  async #sendUntil(
    requests: readonly Request[],
    isReached: (exchange: Exchange) => boolean,
    group?: string,
  ): Promise<readonly Exchange[]> {
    const all = requests.map((request): Sending => ({ request }));
    const without = (isDone: (exchange: Exchange) => boolean): readonly Sending[] =>
      all.filter(({ exchange }) => exchange !== undefined && !isDone(exchange));
    await this.#sendOnce(all, { group });
    for (let lost = 0, refused = 0; ;) {
      const unreached = without(isReached);
      const limited = without((each) => !isLimited(each, this.contract));
      if (unreached.length > 0 && hasEverResponded(this.exchanges)) {
        const pause = outagePauses[lost];
        this.#isGone = pause === undefined;
        if (pause === undefined) throw endOfTarget(this.exchanges);
        const until = (this.exchanges.at(-1)?.endedAt ?? 0) + pause;
        await this.#sendOnce(unreached, { group, until, waitsFor: 'return' });
        lost += 1;
      } else if (limited.length > 0 && refused < repetitions) {
        await this.#sendOnce(limited, { group });
        [lost, refused] = [0, refused + 1];
      } else return exchangesOf(all);
    }
  }

  /** Sends requests concurrently. Of identical requests, the first one gets the first response. */
  async #sendOnce(
    sendings: readonly Sending[],
    { group, until = 0, waitsFor = 'limit', isBeyond = false }: SendingOptions,
  ): Promise<void> {
    const { exchanges } = this;
    if (this.#isGone) throw endOfTarget(exchanges);
    // The only place that enforces the contract's rule for clients: no request before the end of a
    // `Retry-After`.
    const allowed = this.#pacing.earliest();
    const sent = sendings.slice(0, this.left());
    const drafts = sent.map(({ request }) => this.#draft(request, group));
    const notBefore = largest([
      allowed,
      until,
      this.#restUntil,
      ...(isBeyond ? [] : drafts.map(({ request }) => this.#pacing.earliest(request.credential))),
    ]);
    const reason = notBefore === this.#pacing.back ? 'return' : waitsFor;
    this.#restUntil = 0;
    this.#started += drafts.length;
    const before = exchanges.length;
    const begun = exchanges.at(-1)?.endedAt ?? Infinity;
    const open = new Set(sent.keys());
    await this.#carrier.carry(drafts, { notBefore, reason }, (answered, carried) => {
      const place = drafts.findIndex(
        (each, at) => open.has(at) && (each === answered || isAlike(each, answered)),
      );
      open.delete(place);
      const { probe, intent, request } = drafts[place] ?? answered;
      const index = exchanges.length;
      const exchange: Exchange = { index, probe, intent, request, ...carried, group };
      exchanges.push(exchange);
      const milliseconds = exchange.sentAt - begun;
      if (notBefore > begun && index === before && milliseconds > 0)
        this.waits.push({ before, milliseconds, reason });
      if (isUnreached(exchange)) this.#started -= 1;
      const sending = sent[place];
      if (sending !== undefined) sending.exchange = exchange;
      this.#pacing.note(exchange);
      this.#options.onExchange?.(exchange);
    });
    if (drafts.length < sendings.length) throw new SessionEnd('budget', planDone);
  }

  /** A request with the headers of the run, and values for missing path parameters. */
  #draft(request: Request, group: string | undefined): Draft {
    const { operation, intent, path, target } = request;
    const headers = { ...this.#options.headers, ...request.headers };
    const within = target === undefined ? this.#options.within?.(operation) : undefined;
    const completed = { ...request, headers, path: { ...within?.path, ...path } };
    const guessed = within?.guessed.filter((name) => path?.[name] === undefined) ?? [];
    const isGuess = intent.kind === 'valid' && guessed.length > 0;
    const rendered = renderRequest(this.baseUrl, completed, this.exchanges, this.#options.nextTag);
    this.#takeBody(rendered.body?.length ?? 0);
    return {
      operation,
      probe: this.probe,
      intent: isGuess ? { ...intent, guessed: [...(intent.guessed ?? []), ...guessed] } : intent,
      request: rendered,
      group,
    };
  }

  /**
   * Counts a body of so many characters. Throws `UnsendableRequest` for one that is too long, and
   * `SessionEnd` if all bodies of the run would be.
   */
  #takeBody(length: number): void {
    this.#sendable += addedBySent;
    if (length > maxSentBody)
      throw new UnsendableRequest(
        `its body has ${tellCount(length)} characters; at most ${tellCount(maxSentBody)} are sent`,
      );
    if (length > this.#sendable)
      throw new SessionEnd(
        'budget',
        `request bodies reached the limit of a run: ${tellCount(maxSent)} characters and ${tellCount(addedBySent)} per request`,
      );
    this.#sendable -= length;
  }
}

/** A request with its latest exchange. */
interface Sending {
  readonly request: Request;
  exchange?: Exchange;
}

/** Options for sending requests. */
interface SendingOptions {
  readonly group?: string | undefined;
  /** Earliest time, in milliseconds since the Unix epoch. */
  readonly until?: number;
  readonly waitsFor?: WaitReason;
  /** Send even if the rate limit is used up. */
  readonly isBeyond?: boolean;
}

function exchangesOf(sendings: readonly Sending[]): readonly Exchange[] {
  return sendings.flatMap(({ exchange }) => exchange ?? []);
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
 * A request as it is sent and logged, without the credential. `before`: the exchanges of the run so
 * far. Throws `UnsendableRequest`.
 */
function renderRequest(
  baseUrl: string,
  request: Request,
  before: readonly Exchange[],
  nextTag: SessionOptions['nextTag'],
): SentRequest {
  const { operation, encoding, credential = 'valid' } = request;
  const { body, contentType } = asForm(request);
  const target = request.target ?? renderTarget(operation, request);
  const headers = Object.entries({
    ...plainHeaders(operation, body !== undefined),
    ...renderParameterHeaders(operation, request),
    ...ifMatch(request, target, before),
    ...idempotencyKey(request, nextTag),
    ...request.headers,
    ...(contentType && { 'content-type': contentType }),
  }).filter(([, value]) => value !== '');
  const method = request.method ?? operation.method;
  if (resolveTarget(baseUrl, target) === undefined)
    throw new UnsendableRequest(
      `${JSON.stringify(target)} is not a path that can follow ${baseUrl}`,
    );
  const sent = { target, headers, credential };
  refuseUnsendable(operation, target, withCredential(operation, sent, 'key').headers);
  const written = { operation: operation.id, method, ...sent, body };
  return encoding === undefined ? written : { ...written, encoding };
}

/** A body written as JSON, as the form that the operation accepts in its place. */
function asForm({ operation, body, headers }: Request) {
  const media = memberContent(operation);
  const given = headers?.['content-type'];
  const isOther = given !== undefined && essence(given) !== media?.mediaType;
  const value = media && isForm(media.mediaType) && !isOther ? readJson(body) : undefined;
  return media && isJsonObject(value)
    ? renderRequestBody(media, value)
    : { body, contentType: undefined };
}

/**
 * The `If-Match` that an operation requires: the last known entity tag of its target, else `*` (RFC
 * 9110 section 13.1.1).
 */
function ifMatch(
  request: Request,
  target: string,
  before: readonly Exchange[],
): Readonly<Record<string, string>> {
  const parameter = requiredHeader(request, /^if-match$/i);
  if (parameter === undefined) return {};
  const [path] = target.split('?');
  const seen = before.findLast(
    ({ request, outcome }) => outcome.kind === 'answered' && request.target.split('?')[0] === path,
  );
  const tag =
    seen?.outcome.kind === 'answered' ? headerOf(seen.outcome.response, 'etag') : undefined;
  const wanted = tag?.startsWith('"') === true ? tag : '*';
  return parameter.schema.isValid(wanted) ? { [parameter.name.toLowerCase()]: wanted } : {};
}

/**
 * A new idempotency key, if the operation requires one: a server repeats its first response to a
 * key that it has seen.
 */
function idempotencyKey(
  request: Request,
  nextTag: SessionOptions['nextTag'],
): Readonly<Record<string, string>> {
  const parameter = requiredHeader(request, idempotencyNames);
  if (parameter === undefined || nextTag === undefined) return {};
  const { name, schema } = parameter;
  const seed = nextTag();
  const key = idOfTag(schema, seed) ?? sampleSchema(schema, { direction: 'request', seed }).value;
  return { [name.toLowerCase()]: renderPlainText(key) };
}

/**
 * The header parameter of a name for which a request has no value of its own, if it is required: by
 * itself, or by a documented 428 (RFC 6585).
 */
function requiredHeader(
  { operation, values, without }: Request,
  wanted: RegExp,
): Parameter | undefined {
  const isDemanded = operation.responses.some(({ status }) => status === '428');
  return operation.parameters.find(
    (parameter) =>
      (parameter.required || isDemanded) &&
      parameter.in === 'header' &&
      wanted.test(parameter.name) &&
      parameter !== without &&
      values?.has(parameter) !== true,
  );
}
