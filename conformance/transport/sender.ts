import { isUtf8 } from 'node:buffer';
import { Agent, type Dispatcher } from 'undici';
import type { ReceivedResponse, TransportError, Outcome } from './exchange.ts';

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
  /** Takes the place of the network in tests. */
  readonly dispatcher?: Dispatcher;
}

/** Creates a sender over HTTP/1.1 with kept connections; a broken one is tried once more, fresh. */
export function createSender(options: SenderOptions): Sender {
  const dispatcher =
    options.dispatcher ??
    new Agent({
      connect: { timeout: options.timeout, rejectUnauthorized: options.verifyTls },
      headersTimeout: options.timeout,
      bodyTimeout: options.timeout,
      pipelining: 1,
    });
  return {
    send: async (request) => {
      const first = await attempt(dispatcher, request, options.timeout);
      if (!isCut(first)) return first;
      const second = await attempt(dispatcher, request, options.timeout);
      // A request that brings the server down is cut first and reaches nobody then: the cut tells.
      return isRefusedConnection(second) ? first : second;
    },
    [Symbol.asyncDispose]: () =>
      options.dispatcher !== undefined ? Promise.resolve() : dispatcher.destroy(),
  };
}

function isRefusedConnection(outcome: Outcome): boolean {
  return outcome.kind === 'no-response' && outcome.error.reason === 'unreachable';
}

function isCut(outcome: Outcome): boolean {
  return outcome.kind === 'no-response' && outcome.error.reason === 'cut';
}

async function attempt(
  dispatcher: Dispatcher,
  request: WireRequest,
  timeout: number,
): Promise<Outcome> {
  try {
    const response = await exchange(dispatcher, request, AbortSignal.timeout(timeout));
    return { kind: 'answered', response };
  } catch (error) {
    return { kind: 'no-response', error: readTransportError(error) };
  }
}

async function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const url = new URL(request.url);
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
  const received: Received = { status: 0, headers: [], chunks: [] };
  dispatcher.dispatch(
    {
      origin: url.origin,
      path: request.url.slice(url.origin.length) || '/',
      method: request.method,
      headers: request.headers.flatMap(([name, value]) => [name, value]),
      body: request.body === undefined ? null : bytesOf(request),
    },
    {
      onRequestStart: (controller) => {
        signal.addEventListener('abort', () => {
          controller.abort(new DOMException('no response in time', 'TimeoutError'));
        });
      },
      onResponseStart: (controller, status) => {
        received.status = status;
        received.headers = readHeaders(controller.rawHeaders);
      },
      onResponseData: (_controller, chunk) => void received.chunks.push(chunk),
      onResponseEnd: () => {
        const { chunks, ...head } = received;
        resolve({ ...head, ...readBody(Buffer.concat(chunks)) });
      },
      onResponseError: (_controller, error) => {
        reject(error);
      },
    },
  );
  return promise;
}

interface Received {
  status: number;
  headers: readonly (readonly [string, string])[];
  readonly chunks: Uint8Array[];
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

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a body as text, and whether they are UTF-8. */
export function readBody(bytes: Uint8Array): Pick<ReceivedResponse, 'body' | 'utf8'> {
  return { body: decoder.decode(bytes), utf8: isUtf8(bytes) };
}

/** Tells what a thrown error of the network means. */
export function readTransportError(error: unknown): TransportError {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (/TIMEOUT|TimeoutError|ETIMEDOUT/.test(code)) return { reason: 'timeout', message };
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return { reason: 'name', message };
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES|EPERM/.test(code))
    return { reason: 'unreachable', message };
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return { reason: 'tls', message };
  if (/HPE_|HTTPParser|CONTENT_LENGTH|HEADERS_OVERFLOW/.test(code))
    return { reason: 'not-http', message };
  return { reason: 'cut', message };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (error instanceof AggregateError) return error.errors.map(codeOf).join(' ');
  const own = typeof code === 'string' ? `${code} ${error.name}` : error.name;
  return error.cause instanceof Error ? `${own} ${codeOf(error.cause)}` : own;
}
