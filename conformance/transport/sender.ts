import { channel, type ChannelListener } from 'node:diagnostics_channel';
import { Agent, type Dispatcher } from 'undici';
import { mostHeaderBytes, mostResponseBytes } from '../../contract/limits/index.ts';
import type { Outcome, ReceivedResponse, TransportError } from './exchange.ts';
import {
  BodyIntake,
  type BodyLimits,
  BrokenCoding,
  createAllowance,
  Excess,
  tellCount,
} from './body-intake.ts';

/** Interim responses (1xx) before a response. */
export const mostInterim = 100;

/** A request as bytes on the wire will say it. */
export interface WireRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  /** Default UTF-8; `latin1`: each character is one byte. */
  readonly encoding?: 'latin1' | undefined;
}

/** The bytes of a request's body. */
export function bytesOf({ body, encoding }: Pick<WireRequest, 'body' | 'encoding'>): Buffer {
  return Buffer.from(body ?? '', encoding ?? 'utf8');
}

/** Sends requests. Never throws for what a target does; redirects are not followed. */
export interface Sender extends AsyncDisposable {
  readonly send: (request: WireRequest) => Promise<Outcome>;
}

export interface SenderOptions {
  /** Milliseconds until a request without a response counts as hung. */
  readonly timeout: number;
  /** Certificates are not verified if false: for targets with a certificate of their own. */
  readonly verifyTls: boolean;
  /** Most bytes of one body, with its content codings and without. Default: that of the limits. */
  readonly maxResponseBytes?: number | undefined;
  /** Takes the place of the network in tests. */
  readonly dispatcher?: Dispatcher;
}

/**
 * Creates a sender over HTTP/1.1 with kept connections. A target may close one that is not in use at
 * any time (RFC 9112 section 9.5), and all that are kept with it: a request that was sent on a kept
 * one, and of whose response nothing came, is sent once more, on one of its own. What responses cost,
 * each and all together, is bounded.
 */
export function createSender(options: SenderOptions): Sender {
  const dispatcher = options.dispatcher ?? createAgent(options);
  const bytes = options.maxResponseBytes ?? mostResponseBytes;
  const bounds: Bounds = { timeout: options.timeout, bytes, allowance: createAllowance(bytes) };
  const use = watchConnections();
  const attemptAlone = async (request: WireRequest): Promise<Attempt> => {
    if (options.dispatcher !== undefined)
      return await attempt(options.dispatcher, request, bounds, use);
    const agent = createAgent(options);
    try {
      return await attempt(agent, request, bounds, use);
    } finally {
      await agent.destroy();
    }
  };
  return {
    send: async (request) => {
      const { outcome, mayRepeat } = await attempt(dispatcher, request, bounds, use);
      if (!mayRepeat) return outcome;
      const second = await attemptAlone(request);
      // A request that brings the server down closes the connection first and then is not reachable: the closed connection shows it.
      return isRefusedConnection(second.outcome) ? outcome : second.outcome;
    },
    [Symbol.asyncDispose]: async () => {
      use.close();
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

function createAgent({ timeout, verifyTls }: SenderOptions): Agent {
  return new Agent({
    connect: { timeout, rejectUnauthorized: verifyTls },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxHeaderSize: mostHeaderBytes,
    pipelining: 1,
  });
}

/** What one response may cost. */
interface Bounds extends BodyLimits {
  /** Milliseconds from the request to the end of the response. */
  readonly timeout: number;
}

function isRefusedConnection(outcome: Outcome): boolean {
  return outcome.kind === 'no-response' && outcome.error.reason === 'unreachable';
}

interface Attempt {
  readonly outcome: Outcome;
  /** The connection was closed before it was used, as far as anybody can tell. */
  readonly mayRepeat: boolean;
}

async function attempt(
  dispatcher: Dispatcher,
  request: WireRequest,
  bounds: Bounds,
  use: ConnectionUse,
): Promise<Attempt> {
  const received: Received = { status: 0, headers: [], interim: 0 };
  let placeOf: ReturnType<ConnectionUse['watch']> | undefined;
  try {
    const answer = exchange(dispatcher, request, bounds, received, (dispatch) => {
      placeOf = use.watch(dispatch);
    });
    return { outcome: { kind: 'answered', response: await answer }, mayRepeat: false };
  } catch (error) {
    const failure = readTransportError(error);
    const isUnused = received.status === 0 && placeOf?.() !== 'first';
    return {
      outcome: { kind: 'no-response', error: failure },
      mayRepeat: failure.reason === 'cut' && isUnused,
    };
  }
}

async function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  bounds: Bounds,
  received: Received,
  watch: (dispatch: () => void) => void,
): Promise<ReceivedResponse> {
  const url = new URL(request.url);
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
  let stop: ((reason: Error) => void) | undefined;
  const timer = setTimeout(() => {
    const late = new DOMException('no response in time', 'TimeoutError');
    reject(late);
    stop?.(late);
  }, bounds.timeout);
  const options: Dispatcher.DispatchOptions = {
    origin: url.origin,
    path: request.url.slice(url.origin.length) || '/',
    method: request.method,
    headers: request.headers.flatMap(([name, value]) => [name, value]),
    body: request.body === undefined ? null : bytesOf(request),
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      stop = (reason) => controller.abort(reason);
    },
    onResponseStart: (controller, status) => {
      orAbort(controller, () => {
        received.status = status;
        received.headers = readHeaders(controller.rawHeaders);
        if (status < 200) countInterim(received);
        else received.body = new BodyIntake(received.headers, bounds, request.method === 'HEAD');
      });
    },
    onResponseData: (controller, chunk) => {
      orAbort(controller, () => received.body?.add(chunk));
    },
    onResponseEnd: () => {
      const { status, headers, body } = received;
      try {
        resolve({ status, headers, ...(body?.text() ?? { body: '', utf8: true }) });
      } catch (error) {
        reject(asError(error));
      }
    },
    onResponseError: (_controller, error) => reject(error),
  };
  watch(() => void dispatcher.dispatch(options, handler));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

interface Received {
  status: number;
  headers: readonly (readonly [string, string])[];
  interim: number;
  body?: BodyIntake;
}

/** Ends the exchange where a part of the response is beyond a bound. */
function orAbort(controller: Dispatcher.DispatchController, take: () => void): void {
  try {
    take();
  } catch (error) {
    controller.abort(asError(error));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Throws `Excess` for more interim responses than are taken. */
function countInterim(received: Received): void {
  received.interim += 1;
  if (received.interim > mostInterim)
    throw new Excess(
      'endless',
      `it had more than ${mostInterim} interim responses (1xx) before it`,
    );
}

function readHeaders(raw: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(raw))
    return Object.entries(raw ?? {}).map(([name, value]) => [name, String(value)]);
  const texts = raw.map((each) =>
    typeof each === 'string' ? each : Buffer.from(each).toString('latin1'),
  );
  return texts.flatMap((name, index) =>
    index % 2 === 0 ? [[name, texts[index + 1] ?? ''] as const] : [],
  );
}

/** What a network error means. */
export function readTransportError(error: unknown): TransportError {
  if (error instanceof Excess) return { reason: error.reason, message: error.message };
  if (error instanceof BrokenCoding) return { reason: 'undecodable', message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (/HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW/.test(code))
    return {
      reason: 'too-large',
      message: `its header fields have more than ${tellCount(mostHeaderBytes)} bytes, which is the limit`,
    };
  if (/TIMEOUT|TimeoutError|ETIMEDOUT/.test(code)) return { reason: 'timeout', message };
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return { reason: 'name', message };
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES|EPERM/.test(code))
    return { reason: 'unreachable', message };
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return { reason: 'tls', message };
  // The parser takes some framing that the client asserts never to see, such as the status 099.
  if (/ERR_ASSERTION/.test(code))
    return { reason: 'not-http', message: 'its status or framing is not HTTP/1.1' };
  if (/HPE_|HTTPParser|CONTENT_LENGTH/.test(code)) return { reason: 'not-http', message };
  return { reason: 'cut', message };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (error instanceof AggregateError) return error.errors.map(codeOf).join(' ');
  const own = typeof code === 'string' ? `${code} ${error.name}` : error.name;
  return error.cause instanceof Error ? `${own} ${codeOf(error.cause)}` : own;
}

/** Knows of requests which of them were the first on their connection. */
interface ConnectionUse {
  /** Calls a function that hands one request to undici, and reports how that request was sent. */
  readonly watch: (dispatch: () => void) => () => Place | undefined;
  readonly close: () => void;
}

/**
 * Where a request stood on its connection: `first` on a new one, `later` on one that was kept.
 * Undefined: it was not sent over a connection, as far as is known.
 */
type Place = 'first' | 'later';

/** What undici publishes about its requests (its page "Diagnostics Channel Support"). */
const created = channel('undici:request:create');
const sent = channel('undici:client:sendHeaders');

function watchConnections(): ConnectionUse {
  const places = new WeakMap<object, Place>();
  const used = new WeakSet<object>();
  let latest: object | undefined;
  const onCreated: ChannelListener = (message) => {
    latest = memberOf(message, 'request');
  };
  const onSent: ChannelListener = (message) => {
    const [request, socket] = [memberOf(message, 'request'), memberOf(message, 'socket')];
    if (request === undefined || socket === undefined) return;
    places.set(request, used.has(socket) ? 'later' : 'first');
    used.add(socket);
  };
  created.subscribe(onCreated);
  sent.subscribe(onSent);
  return {
    watch: (dispatch) => {
      latest = undefined;
      dispatch();
      const request = latest;
      return () => (request === undefined ? undefined : places.get(request));
    },
    close: () => {
      created.unsubscribe(onCreated);
      sent.unsubscribe(onSent);
    },
  };
}

function memberOf(message: unknown, name: string): object | undefined {
  const value: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}
