import * as http from 'node:http';
import * as https from 'node:https';
import { maxHeaderBytes, responseBytesLimit } from '../../contract/limits/index.ts';
import type { Outcome, ReceivedResponse, TransportError } from './exchange.ts';
import {
  BodyIntake,
  type BodyLimits,
  createAllowance,
  tellCount,
  UnreadableResponse,
} from './body-intake.ts';

/** Most interim responses (1xx) before a response. */
export const maxInterim = 100;

/** A request as it is sent on the wire. */
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

/** Sends requests. Never throws because of the target; does not follow redirects. */
export interface Sender extends AsyncDisposable {
  readonly send: (request: WireRequest) => Promise<Outcome>;
}

export interface SenderOptions {
  /** Milliseconds until a request without a response counts as hung. */
  readonly timeout: number;
  /** False for targets with a self-signed certificate. */
  readonly verifyTls: boolean;
  /** Most bytes of one body, encoded or decoded. Default: that of the limits. */
  readonly maxResponseBytes?: number | undefined;
}

/**
 * Creates a sender over HTTP/1.1 with keep-alive. A target may close idle connections at any time
 * (RFC 9112 section 9.5), so a request that was sent on a reused connection and got no byte of a
 * response is repeated once on a new connection. The cost of each response, and of all together, is
 * bounded.
 */
export function createSender({ timeout, verifyTls, maxResponseBytes }: SenderOptions): Sender {
  const bytes = maxResponseBytes ?? responseBytesLimit;
  const bounds: Bounds = { timeout, bytes, allowance: createAllowance(bytes) };
  const agentOptions = { keepAlive: true, rejectUnauthorized: verifyTls };
  const kept = {
    'http:': new http.Agent(agentOptions),
    'https:': new https.Agent(agentOptions),
  };
  const attempt = async (request: WireRequest, isAlone: boolean): Promise<Attempt> => {
    const url = new URL(request.url);
    const isTls = url.protocol === 'https:';
    const agent = isAlone ? false : kept[isTls ? 'https:' : 'http:'];
    const options = { ...requestOptions(url, request), agent, rejectUnauthorized: verifyTls };
    let sent: http.ClientRequest | undefined;
    const received: Received = { interim: 0 };
    try {
      sent = (isTls ? https : http).request(options);
      const response = await exchange(sent, request, bounds, received);
      return { outcome: { kind: 'answered', response }, mayRepeat: false };
    } catch (error) {
      const failure = readTransportError(error);
      const isUnused = received.head === undefined && sent?.reusedSocket === true;
      return {
        outcome: { kind: 'no-response', error: failure },
        mayRepeat: failure.reason === 'cut' && isUnused,
      };
    }
  };
  return {
    send: async (request) => {
      const { outcome, mayRepeat } = await attempt(request, false);
      if (!mayRepeat) return outcome;
      const second = await attempt(request, true);
      // A request that crashes the server closes the connection, and then the server is
      // unreachable. The closed connection is the evidence.
      return isRefusedConnection(second.outcome) ? outcome : second.outcome;
    },
    [Symbol.asyncDispose]: () => {
      for (const agent of Object.values(kept)) agent.destroy();
      return Promise.resolve();
    },
  };
}

/** The sender of a caller, who closes it; if there is none, a new one. */
export function useSender(given: Sender | undefined, options: SenderOptions): Sender {
  if (given === undefined) return createSender(options);
  return { send: given.send, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Sends the request unchanged: a list of headers avoids Node's repairs. */
function requestOptions(url: URL, request: WireRequest): http.RequestOptions {
  const { method, headers, body } = request;
  const hasLength = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
  return {
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    path: request.url.slice(url.origin.length) || '/',
    method,
    headers: [
      'host',
      url.host,
      ...headers.flat(),
      ...(hasLength ? ['content-length', String(bytesOf(request).length)] : []),
    ],
    maxHeaderSize: maxHeaderBytes,
  };
}

/** The limits of one response. */
interface Bounds extends BodyLimits {
  /** Milliseconds from the request to the end of the response. */
  readonly timeout: number;
}

function isRefusedConnection(outcome: Outcome): boolean {
  return outcome.kind === 'no-response' && outcome.error.reason === 'unreachable';
}

interface Attempt {
  readonly outcome: Outcome;
  /** It was sent on a reused connection, from which nothing came. */
  readonly mayRepeat: boolean;
}

interface Received {
  /** Interim responses (1xx). */
  interim: number;
  head?: http.IncomingMessage;
}

async function exchange(
  sent: http.ClientRequest,
  request: WireRequest,
  bounds: Bounds,
  received: Received,
): Promise<ReceivedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
  const end = (error: unknown): void => {
    reject(error);
    sent.destroy();
  };
  /** Ends the exchange if a part of the response exceeds a limit. */
  const orEnd = (take: () => void): void => {
    try {
      take();
    } catch (error) {
      end(error);
    }
  };
  const timer = setTimeout(
    () => end(new DOMException('no response in time', 'TimeoutError')),
    bounds.timeout,
  );
  sent.on('error', end);
  sent.on('close', () => end(new Error('other side closed')));
  sent.on('information', () => orEnd(() => countInterim(received)));
  sent.on('response', (message) => {
    received.head = message;
    const status = message.statusCode ?? 0;
    message.on('error', end);
    orEnd(() => {
      // The parser accepts some invalid HTTP/1.1, such as the status 099.
      if (status < 100 || status > 999)
        throw new UnreadableResponse('not-http', 'its status is not one of HTTP/1.1');
      const headers = pairsOf(message.rawHeaders);
      const body = new BodyIntake(headers, bounds, request.method === 'HEAD');
      message.on('data', (chunk: Buffer) => orEnd(() => body.add(chunk)));
      message.on('end', () => orEnd(() => resolve({ status, headers, ...body.text() })));
    });
  });
  sent.end(request.body === undefined ? undefined : bytesOf(request));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Throws `UnreadableResponse` for too many interim responses. */
function countInterim(received: Received): void {
  received.interim += 1;
  if (received.interim > maxInterim)
    throw new UnreadableResponse(
      'endless',
      `it had more than ${maxInterim} interim responses (1xx) before it`,
    );
}

/** Pairs the names and values of Node's `rawHeaders`. */
export function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return pairs;
}

/** Classifies a network error. */
export function readTransportError(error: unknown): TransportError {
  if (error instanceof UnreadableResponse) return { reason: error.reason, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (/HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW/.test(code))
    return {
      reason: 'too-large',
      message: `its header fields have more than ${tellCount(maxHeaderBytes)} bytes, which is the limit`,
    };
  if (/TIMEOUT|TimeoutError|ETIMEDOUT/.test(code)) return { reason: 'timeout', message };
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return { reason: 'name', message };
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES|EPERM/.test(code))
    return { reason: 'unreachable', message };
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return { reason: 'tls', message };
  if (/HPE_|CONTENT_LENGTH/.test(code)) return { reason: 'not-http', message };
  return { reason: 'cut', message };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (error instanceof AggregateError) return error.errors.map(codeOf).join(' ');
  const own = typeof code === 'string' ? `${code} ${error.name}` : error.name;
  return error.cause instanceof Error ? `${own} ${codeOf(error.cause)}` : own;
}
