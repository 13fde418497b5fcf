import {
  type Outcome,
  type Sender,
  type WireRequest,
  bytesOf,
  readBody,
} from '../conformance/index.ts';
import type { Respond, WireResponse } from './service/service.ts';

export interface Patience {
  /** Milliseconds until a request without a response counts as hung. */
  readonly timeout: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Creates a sender that hands requests to a service in this process, one after the other, and reports
 * of each response what the network would have shown. All requests share one connection, and as over
 * the network one is sent again that was not the first on it and of whose response nothing came.
 * @throws {RangeError} for a response whose `Content-Length` is not its length: what becomes of that
 *   is for a real connection to show
 */
export function createInProcessSender(respond: Respond, patience: Patience): Sender {
  let isKept = false;
  const attempt = async (request: WireRequest): Promise<Outcome> => {
    await new Promise((resolve) => void setImmediate(resolve));
    const wireResponse = await respond(readRequest(request));
    const mayRepeat = isKept && wireResponse.delivery === 'reset';
    const outcome = await receive(wireResponse, patience);
    isKept = outcome.kind === 'answered' && !isLast(wireResponse);
    return mayRepeat ? await attempt(request) : outcome;
  };
  return {
    send: attempt,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function readRequest({ url, method, headers, body, encoding }: WireRequest) {
  const { host, origin } = new URL(url);
  const bytes = bytesOf({ body, encoding });
  const sent = headers.map(([name, value]) => [name.toLowerCase(), value.trim()]);
  const length = method === 'GET' ? {} : { 'content-length': String(bytes.length) };
  return {
    method,
    target: url.slice(origin.length),
    headers: { host, connection: 'keep-alive', ...Object.fromEntries(sent), ...length },
    body: bytes,
    connection: 'in-process',
  };
}

async function receive(wireResponse: WireResponse, { timeout, sleep }: Patience): Promise<Outcome> {
  const { status, headers, bytes, delivery } = wireResponse;
  if (delivery === 'hang') {
    await sleep(timeout);
    return failed('timeout', 'no response in time');
  }
  if (delivery === 'reset') return failed('cut', 'read ECONNRESET');
  if (delivery === 'cut') return failed('cut', 'other side closed');
  const body = status === 204 || status === 304 ? new Uint8Array() : bytes;
  const framing = readFraming(wireResponse, body.length);
  const trimmed = Object.entries(headers).map(([name, value]) => [name, value.trim()] as const);
  const response = { status, headers: [...trimmed, ...framing], ...readBody(body) };
  return { kind: 'answered', response };
}

/** Whether the connection ends with the response (RFC 9112 section 9.6). */
function isLast({ headers, delivery }: WireResponse): boolean {
  const field = Object.entries(headers).find(([name]) => name.toLowerCase() === 'connection');
  return delivery === 'closed' || field?.[1].trim().toLowerCase() === 'close';
}

function failed(reason: 'timeout' | 'cut', message: string): Outcome {
  return { kind: 'no-response', error: { reason, message } };
}

/** What a server adds to the headers of its own. */
function readFraming({ status, headers, delivery }: WireResponse, length: number) {
  const own = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const sent = own.get('content-length');
  if (sent !== undefined && sent !== String(length))
    throw new RangeError(`a body of ${length} bytes says Content-Length: ${sent}`);
  const hasLength = sent === undefined && status !== 204 && ['whole', 'hinted'].includes(delivery);
  return Object.entries({
    ...(hasLength ? { 'Content-Length': String(length) } : {}),
    ...(own.has('connection') ? {} : connections[delivery === 'closed' ? 'closed' : 'kept']),
    ...(delivery === 'chunked' ? { 'Transfer-Encoding': 'chunked' } : {}),
  });
}

const connections = {
  closed: { Connection: 'close' },
  kept: { Connection: 'keep-alive', 'Keep-Alive': 'timeout=5' },
};
