import type { Contract, Operation } from '../../contract/index.ts';
import type { Carrier } from './carrier.ts';
import { isAlike, type Draft } from './draft.ts';
import type { CredentialUse, Exchange, Intent } from './exchange.ts';
import { createPacing, isLimited, SessionEnd } from './pacing.ts';

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
   * @throws {SessionEnd} `budget`, when no request is left; `wait`, when a wait would be too long
   */
  readonly send: (request: Request) => Promise<Exchange>;
  /** Sends requests at the same time; as `send`. */
  readonly sendTogether: (requests: readonly Request[]) => Promise<readonly Exchange[]>;
  /** Sends requests at the same time, once each, without a look at the limit. */
  readonly sendBeyond: (requests: readonly Request[]) => Promise<readonly Exchange[]>;
  /** Waits until the target takes requests with the key again, and until a time of the suite's clock. */
  readonly rest: (until?: number) => Promise<void>;
}

export interface SessionOptions {
  readonly budget: number;
  /** Longest single wait for the rate limit, milliseconds. */
  readonly longestWait: number;
  /** Told of every exchange, for people who watch. */
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
  const pacing = createPacing(contract, options.longestWait);
  let started = 0;
  let groups = 0;
  const nextGroup = (): string => `together-${(groups += 1)}`;
  const left = (): number => options.budget - started;

  /** Sends requests at the same time. Of those alike, the first has the first response. */
  const sendOnce = async (
    requests: readonly Request[],
    group: string | undefined,
    earliest: (use: CredentialUse) => number,
  ): Promise<readonly Exchange[]> => {
    const drafts = requests
      .slice(0, left())
      .map((request) => createDraft(request, probe(), group, earliest));
    started += drafts.length;
    const answered = new Map<Draft, Exchange>();
    await carrier.carry(drafts, (told, carried) => {
      const isTold = (each: Draft): boolean => drafts.length === 1 || isAlike(each, told);
      const draft = drafts.find((each) => !answered.has(each) && isTold(each)) ?? told;
      const { probe: by, intent, request } = draft;
      const index = exchanges.length;
      const exchange: Exchange = { index, probe: by, intent, request, ...carried, group };
      exchanges.push(exchange);
      answered.set(draft, exchange);
      pacing.note(exchange);
      options.onExchange?.(exchange);
    });
    if (drafts.length < requests.length)
      throw new SessionEnd('budget', 'budget: no request was left');
    return drafts.flatMap((draft) => answered.get(draft) ?? []);
  };
  /** As `sendOnce`, then again those that were turned away for the rate limit. */
  const sendAll = async (
    requests: readonly Request[],
    group: string | undefined,
  ): Promise<readonly Exchange[]> => {
    let found = await sendOnce(requests, group, pacing.earliest);
    for (let again = 0; again < repetitions; again += 1) {
      const places = found.flatMap((each, place) => (isLimited(each, contract) ? [place] : []));
      if (places.length === 0) break;
      const refused = requests.filter((_request, place) => places.includes(place));
      const sent = await sendOnce(refused, group, pacing.earliest);
      found = found.map((each, place) => sent[places.indexOf(place)] ?? each);
    }
    return found;
  };
  return {
    contract,
    exchanges,
    left,
    send: async (request) => {
      const [exchange] = await sendAll([request], undefined);
      if (exchange === undefined) throw new SessionEnd('budget', 'budget: no request was left');
      return exchange;
    },
    sendTogether: async (requests) => {
      pacing.makeRoom(requests.length);
      return await sendAll(requests, nextGroup());
    },
    sendBeyond: (requests) =>
      sendOnce(requests, requests.length > 1 ? nextGroup() : undefined, () => 0),
    rest: (until = 0) => carrier.wait(Math.max(until, pacing.earliest('valid'))),
  };
}

function createDraft(
  request: Request,
  probe: string,
  group: string | undefined,
  earliest: (use: CredentialUse) => number,
): Draft {
  const { operation, intent, body, credential = 'valid' } = request;
  const { id, method, requestBody } = operation;
  const mediaType = requestBody?.content[0]?.mediaType ?? 'application/json';
  const headers: [string, string][] = [['accept', 'application/json']];
  if (body !== undefined) headers.push(['content-type', mediaType]);
  const target = request.target ?? renderTarget(operation, request);
  const sent = { operation: id, method, target, headers, credential, body };
  return { operation, probe, intent, request: sent, group, notBefore: earliest(credential) };
}

function renderTarget(operation: Operation, request: Request): string {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_whole, name: string) =>
    encodeURIComponent(request.path?.[name] ?? ''),
  );
  const query = new URLSearchParams(request.query).toString();
  return query === '' ? path : `${path}?${query}`;
}
