import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingMessage,
  request as plainRequest,
  type ServerResponse,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import { isFieldValue } from '../contract/openapi/header.ts';
import { isJsonMediaType } from '../contract/openapi/media-type.ts';
import { pairsOf, readTransportError, UnreadableResponse } from '../conformance/index.ts';
import type { TrafficJudge } from './judge.ts';
import type { RecordedExchange } from './recorded.ts';
import { pathOf, refuseRequest } from './access.ts';
import {
  BodyCopy,
  copied,
  mediaTypeOf,
  passOn,
  type RawFields,
  valuesOf,
  withHost,
} from './message.ts';

export interface RelayContext {
  /** The target, and the connections to it. */
  readonly destination: {
    readonly protocol: string;
    readonly hostname: string;
    readonly port: string;
    readonly agent: Agent;
    readonly maxHeaderSize: number;
  };
  /** Value of `Host`, with the port unless it is the default. */
  readonly host: string;
  /** Without a trailing slash. */
  readonly basePath: string;
  readonly judge: TrafficJudge;
  /** Queues an exchange to be judged. `bytes`: memory held until then. */
  readonly judgeLater: (judge: () => void, bytes: number) => void;
  /**
   * Invalid requests are not forwarded, and responses that break the contract are replaced by a
   * 502.
   */
  readonly isStrict: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/**
 * Forwards one request to the target and its response to the client, and queues the exchange for
 * judging.
 */
export function relay(
  request: IncomingMessage,
  response: ServerResponse,
  context: RelayContext,
): void {
  const passage = new Passage(request, response, context);
  // The target sets `Date`.
  response.sendDate = false;
  const refused = refuseRequest(request, context.basePath);
  if (refused !== undefined) {
    const reason = `it was not forwarded: ${refused.title.replace(/\.$/, '')}`;
    context.judge.take(passage.record(undefined, reason));
    sendProblem(response, refused.status, refused.title);
  } else if (context.isStrict) passage.checkFirst();
  else passage.send(true, []);
}

/** One exchange in progress. */
class Passage {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #context: RelayContext;
  readonly #sent = new BodyCopy();
  readonly #received = new BodyCopy();
  readonly #sentAt: number;
  /** It was judged, or will not be: later events are ignored. */
  #isOver = false;

  constructor(request: IncomingMessage, response: ServerResponse, context: RelayContext) {
    this.#request = request;
    this.#response = response;
    this.#context = context;
    this.#sentAt = context.now();
  }

  /**
   * Forwards a request only if it is valid. JSON is buffered until it is complete, up to the limit.
   */
  checkFirst(): void {
    const [request, response] = [this.#request, this.#response];
    const pass = (held: readonly Buffer[]): void => {
      const refusal = this.#context.judge.refuse(this.record());
      if (refusal === undefined) {
        this.send(true, held);
        return;
      }
      this.#isOver = true;
      request.resume();
      const findings = refusal.findings.map((sentence) => ({ sentence }));
      sendProblem(response, refusal.status, 'The request breaks the contract.', { findings });
    };
    if (!hasBody(request.rawHeaders) || !isJsonMediaType(mediaTypeOf(request.rawHeaders))) pass([]);
    else {
      if (request.headers.expect !== undefined) response.writeContinue();
      hold(request, this.#sent, pass);
    }
  }

  /** @param held the part of the body that was already received */
  send(mayRepeat: boolean, held: readonly Buffer[]): void {
    const [request, response] = [this.#request, this.#response];
    const outgoing = openRequest(request, this.#context);
    const isWithBody = hasBody(request.rawHeaders);
    response.once('close', () => {
      if (response.writableFinished) return;
      outgoing.destroy();
      this.#giveUp('the client disconnected');
    });
    outgoing.on('continue', () => {
      // If the body was buffered, the proxy has already asked for it.
      if (held.length === 0) response.writeContinue();
    });
    outgoing.on('information', ({ statusCode, headers }) => {
      if (statusCode === 102) response.writeProcessing();
      const { link } = headers;
      if (statusCode !== 103 || link === undefined) return;
      const hints = Object.entries(headers).filter(
        (pair): pair is [string, string | string[]] => pair[1] !== undefined,
      );
      try {
        response.writeEarlyHints({ ...Object.fromEntries(hints), link });
      } catch {
        // Node drops most forms of `Link` that RFC 8288 allows. The final response repeats them.
      }
    });
    let hasBegun = false;
    outgoing.once('response', (incoming) => {
      hasBegun = true;
      if (isSendable(incoming)) this.#receive(incoming);
      else {
        incoming.destroy();
        this.#lose(new UnreadableResponse('not-http', 'its status line is not HTTP/1.1'), false);
      }
    });
    outgoing.once('upgrade', (_incoming, socket) => {
      socket.destroy();
      this.#lose(
        new UnreadableResponse('not-http', 'it switches protocols (101) without being asked'),
        false,
      );
    });
    outgoing.on('error', (error) => {
      // Once a response has begun, its own end or error decides: bytes after a complete one, such as a body
      // after a 204, break the connection only.
      if (this.#isOver || hasBegun) return;
      // A server may close an idle connection at any time (RFC 9112 section 9.5).
      const isStale = outgoing.reusedSocket && isReset(error);
      if (isStale && mayRepeat && !isWithBody && isIdempotent(request)) this.send(false, held);
      else this.#lose(error, isStale);
    });
    if (!isWithBody) {
      outgoing.end();
      return;
    }
    for (const chunk of held) outgoing.write(chunk);
    passBody(request, outgoing, this.#sent);
    // Send the headers without waiting for a slow body.
    setImmediate(() => {
      if (this.#sent.length === 0 && !outgoing.destroyed) outgoing.flushHeaders();
    });
  }

  /** The exchange shows nothing about the target. */
  #giveUp(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#context.judge.take(this.record(undefined, reason));
  }

  /** No response arrived, or not a complete one. */
  #lose(error: Error, isStale: boolean): void {
    const found = readTransportError(error);
    if (isStale) this.#giveUp('the connection was closed while the request was sent');
    else this.#context.judge.takeLoss(this.record(), found);
    this.#isOver = true;
    const response = this.#response;
    if (response.headersSent) response.destroy();
    else sendProblem(response, 502, 'The target gave no response.', { detail: found.message });
  }

  #receive(incoming: IncomingMessage): void {
    const { judge, judgeLater, isStrict, now } = this.#context;
    const [response, body] = [this.#response, this.#received];
    incoming.once('error', (error) => {
      if (!this.#isOver) this.#lose(error, false);
    });
    if (!isStrict) {
      writeHead(response, incoming);
      passBody(incoming, response, body);
      incoming.once('end', () => {
        if (this.#isOver) return;
        this.#isOver = true;
        const endedAt = now();
        judgeLater(
          () => void judge.take(this.record(incoming, undefined, endedAt)),
          body.length + this.#sent.length,
        );
      });
      return;
    }
    const pass = (held: readonly Buffer[]): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      const failures = judge.take(this.record(incoming));
      if (failures.length > 0) {
        incoming.resume();
        sendProblem(response, 502, 'The response of the target breaks the contract.', {
          received: incoming.statusCode,
          findings: failures.map(
            ({ requirement: { id, sentence, pointer }, expected, received }) => ({
              requirement: id,
              sentence,
              pointer,
              expected,
              received,
            }),
          ),
        });
        return;
      }
      writeHead(response, incoming);
      for (const chunk of held) response.write(chunk);
      passBody(incoming, response, new BodyCopy());
    };
    // JSON is buffered until it is complete, up to the limit; of everything else only the status
    // and headers are judged.
    if (isJsonMediaType(mediaTypeOf(incoming.rawHeaders)) && this.#request.method !== 'HEAD')
      hold(incoming, body, pass);
    else pass([]);
  }

  /** @param foreign why the response was not written by the target */
  record(
    incoming?: IncomingMessage,
    foreign?: string,
    endedAt: number = this.#context.now(),
  ): RecordedExchange {
    const { method = 'GET', url = '/', rawHeaders } = this.#request;
    const { destination, host } = this.#context;
    // The target may respond, or headers may be checked, before the client has sent everything.
    const isCut = hasBody(rawHeaders) && !this.#request.complete;
    return {
      place: '',
      request: {
        method,
        url: `${destination.protocol}//${host}${pathOf(url)}`,
        // With the target's `Host`, because the curl line of a failure goes there.
        headers: pairsOf(withHost(rawHeaders, host)),
        body: isCut
          ? { kind: 'unknown', reason: 'was not received completely' }
          : this.#sent.read(rawHeaders),
      },
      response: incoming && {
        status: incoming.statusCode ?? 0,
        headers: pairsOf(incoming.rawHeaders),
        body: this.#received.read(incoming.rawHeaders),
      },
      foreign,
      sentAt: this.#sentAt,
      endedAt,
    };
  }
}

/** Methods for which Node does not frame a body without body headers. */
const bodiless = /^(GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/;

/** Whether a request announces a body (RFC 9112 section 6.3). */
function hasBody(fields: RawFields): boolean {
  if (valuesOf(fields, 'transfer-encoding').length > 0) return true;
  return valuesOf(fields, 'content-length').some((length) => Number(length) > 0);
}

/**
 * Opens the request to the target for a request of a client: same method, target and fields, in the
 * same order and case, except `Host`, which names the target, and hop-by-hop fields. If the body is
 * missing although the method usually has one, adds `Content-Length: 0` (RFC 9110 section 8.6).
 * Uses `node:http`, because undici sorts fields and rejects some.
 */
function openRequest(
  { method = 'GET', url = '/', rawHeaders }: IncomingMessage,
  { destination, host }: RelayContext,
): ClientRequest {
  const headers = withHost(passOn(rawHeaders), host);
  if (valuesOf(rawHeaders, 'transfer-encoding').length > 0)
    headers.push('Transfer-Encoding', 'chunked');
  else if (!bodiless.test(method) && valuesOf(rawHeaders, 'content-length').length === 0)
    headers.push('Content-Length', '0');
  const open = destination.protocol === 'https:' ? secureRequest : plainRequest;
  return open({ ...destination, method, path: pathOf(url), headers });
}

/** Forwards a body as it arrives, then its trailers. */
function passBody(
  from: IncomingMessage,
  to: OutgoingMessage & { addTrailers(fields: [string, string][]): void },
  copy: BodyCopy,
): void {
  from.on('data', (chunk: Buffer) => copy.add(chunk));
  const end = (): void => {
    if (to.destroyed) return;
    if (from.rawTrailers.length > 0) to.addTrailers(pairsOf(from.rawTrailers));
    to.end();
  };
  if (from.readableEnded) end();
  else from.once('end', end).pipe(to, { end: false });
}

/** Copies a body without forwarding it, until its end or the chunk that exceeds the limit. */
function hold(
  from: IncomingMessage,
  copy: BodyCopy,
  pass: (held: readonly Buffer[]) => void,
): void {
  const held: Buffer[] = [];
  const end = (): void => pass(held);
  const add = (chunk: Buffer): void => {
    held.push(chunk);
    copy.add(chunk);
    if (copy.length <= copied.bytes) return;
    from.off('data', add);
    from.off('end', end);
    from.pause();
    pass(held);
  };
  from.on('data', add);
  from.once('end', end);
}

/** Whether Node and every client can handle the status line. */
function isSendable({ statusCode = 0, statusMessage = '' }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 999 && isFieldValue(statusMessage);
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** RFC 9110 section 9.2.2. */
function isIdempotent({ method = '' }: IncomingMessage): boolean {
  return /^(GET|HEAD|OPTIONS|TRACE|PUT|DELETE)$/.test(method);
}

/** Copies status, reason and headers of the target, in their order and case. */
function writeHead(response: ServerResponse, incoming: IncomingMessage): void {
  const { statusCode = 502, statusMessage = '', rawHeaders } = incoming;
  response.writeHead(statusCode, statusMessage, passOn(rawHeaders));
}

/** Responds with a problem (RFC 9457) in place of the target. */
function sendProblem(
  response: ServerResponse,
  status: number,
  title: string,
  members: Readonly<Record<string, unknown>> = {},
): void {
  const body = JSON.stringify({ type: 'about:blank', title, status, ...members });
  const fields = { 'content-type': 'application/problem+json' };
  response.writeHead(status, { ...fields, 'content-length': Buffer.byteLength(body) }).end(body);
}
