import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isFieldValue } from '../../contract/openapi/header.ts';
import { isJsonMediaType } from '../../contract/openapi/media-type.ts';
import { readTransportError } from '../../conformance/index.ts';
import type { TrafficFailure, TrafficJudge } from '../judge/traffic-judge.ts';
import { noBody, type RecordedBody, type RecordedExchange } from '../recorded/recorded.ts';
import { refuseRequest } from './access.ts';
import { type BodyCopy, copied, createBodyCopy, mediaTypeOf } from './copy.ts';
import { pairsOf, passOn, withField } from './fields.ts';
import { type Destination, hasBody, openRequest, passBody, pathOf } from './forward.ts';
import { renderFindings, sendProblem } from './problem.ts';

export interface RelayContext {
  readonly destination: Destination;
  readonly judge: TrafficJudge;
  /** Responses that break the contract are answered 502. */
  readonly isStrict: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** One exchange on its way. */
interface Passage extends RelayContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sent: BodyCopy;
  readonly sentAt: number;
  /** It was judged, or is not to be: what comes after is not. */
  isOver: boolean;
}

/** Passes one request to the target, and its response back, and has the exchange judged. */
export function relay(
  request: IncomingMessage,
  response: ServerResponse,
  context: RelayContext,
): void {
  const passage: Passage = {
    ...context,
    request,
    response,
    sent: createBodyCopy(),
    sentAt: context.now(),
    isOver: false,
  };
  // The target tells the date, or nobody.
  response.sendDate = false;
  const refused = refuseRequest(request, context.destination.origin);
  if (refused === undefined) {
    send(passage, true);
    return;
  }
  passage.judge.take(record(passage, undefined, refused.note));
  sendProblem(response, refused.status, refused.title);
}

function send(passage: Passage, mayRepeat: boolean): void {
  const { request, response, destination, sent } = passage;
  const outgoing = openRequest(request, destination);
  const isWithBody = hasBody(request.rawHeaders);
  response.once('close', () => {
    if (response.writableFinished) return;
    outgoing.destroy();
    if (passage.isOver) return;
    passage.isOver = true;
    passage.judge.take(record(passage, undefined, 'the client disconnected'));
  });
  outgoing.on('continue', () => {
    response.writeContinue();
  });
  outgoing.on('information', ({ statusCode, headers }) => {
    if (statusCode === 102) response.writeProcessing();
    const { link } = headers;
    if (statusCode !== 103 || link === undefined) return;
    try {
      response.writeEarlyHints({ ...definedOf(headers), link });
    } catch {
      // Node sends few of the links that RFC 8288 allows. The response itself has them again.
    }
  });
  let received: IncomingMessage | undefined;
  outgoing.once('response', (incoming) => {
    received = incoming;
    if (isSendable(incoming)) receive(passage, incoming);
    else {
      incoming.destroy();
      lose(passage, notHttp('its status line is not HTTP/1.1'), false);
    }
  });
  outgoing.once('upgrade', (_incoming, socket) => {
    socket.destroy();
    lose(passage, notHttp('it switches protocols (101) without being asked'), false);
  });
  outgoing.on('error', (error) => {
    // Bytes after a whole response, such as the body of a 204, end the connection, not the response.
    if (passage.isOver || received?.complete === true) return;
    // A kept connection may be closed at any time (RFC 9112 section 9.5).
    const isStale = outgoing.reusedSocket && isReset(error);
    if (isStale && mayRepeat && !isWithBody && isRepeatable(request)) send(passage, false);
    else lose(passage, error, isStale);
  });
  if (!isWithBody) {
    outgoing.end();
    return;
  }
  passBody(request, outgoing, (chunk) => {
    sent.add(chunk);
  });
  // The head does not wait for a body that is slow to come.
  setImmediate(() => {
    if (sent.length() === 0 && !outgoing.destroyed) outgoing.flushHeaders();
  });
}

/** A response that Node can send on, and with it any client. */
function isSendable({ statusCode = 0, statusMessage = '' }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 999 && isFieldValue(statusMessage);
}

function notHttp(message: string): Error {
  return Object.assign(new Error(message), { code: 'HPE_INVALID' });
}

function definedOf(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Idempotent methods (RFC 9110 section 9.2.2). */
function isRepeatable({ method = '' }: IncomingMessage): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'].includes(method);
}

/** No response came, or not to its end. */
function lose(passage: Passage, error: Error, isStale: boolean): void {
  passage.isOver = true;
  const { response, judge } = passage;
  const told = readTransportError(error);
  if (isStale)
    judge.take(record(passage, undefined, 'the connection was closed while the request was sent'));
  else judge.takeLoss(record(passage, undefined, undefined), told);
  if (response.headersSent) response.destroy();
  else sendProblem(response, 502, 'The target gave no response.', { detail: told.message });
}

function receive(passage: Passage, incoming: IncomingMessage): void {
  incoming.once('error', (error) => {
    if (!passage.isOver) lose(passage, error, false);
  });
  if (passage.isStrict) hold(passage, incoming);
  else {
    writeHead(passage, incoming);
    const copy = createBodyCopy();
    passBody(incoming, passage.response, (chunk) => copy.add(chunk));
    incoming.once('end', () => {
      finish(passage, incoming, copy.read(incoming.rawHeaders));
    });
  }
}

/** Status, reason and fields of the target, in their order and case. */
function writeHead({ response }: Passage, incoming: IncomingMessage): void {
  const { statusCode = 502, statusMessage = '', rawHeaders } = incoming;
  response.writeHead(statusCode, statusMessage, [...passOn(rawHeaders)]);
}

/**
 * Judges a response before it is passed on. JSON is held to its end, up to the bound; of all else
 * only the head is judged, and the body streams.
 */
function hold(passage: Passage, incoming: IncomingMessage): void {
  const { rawHeaders } = incoming;
  const copy = createBodyCopy();
  const isHeld = isJsonMediaType(mediaTypeOf(rawHeaders)) && passage.request.method !== 'HEAD';
  const pass = (body: RecordedBody, chunks: readonly Buffer[], isEnd: boolean): void => {
    const failures = finish(passage, incoming, body);
    if (failures.length > 0) refuse(passage, incoming, failures);
    else {
      writeHead(passage, incoming);
      for (const chunk of chunks) passage.response.write(chunk);
      if (isEnd) passage.response.end();
      else passBody(incoming, passage.response, () => {});
    }
  };
  if (!isHeld) {
    pass(noBody, [], false);
    return;
  }
  const add = (chunk: Buffer): void => {
    const before = [...copy.chunks(), chunk];
    copy.add(chunk);
    if (copy.length() <= copied.bytes) return;
    incoming.off('data', add);
    incoming.off('end', end);
    incoming.pause();
    pass(copy.read(rawHeaders), before, false);
  };
  const end = (): void => {
    pass(copy.read(rawHeaders), copy.chunks(), true);
  };
  incoming.on('data', add);
  incoming.once('end', end);
}

function refuse(
  { response }: Passage,
  incoming: IncomingMessage,
  failures: readonly TrafficFailure[],
): void {
  incoming.resume();
  sendProblem(response, 502, 'The response of the target breaks the contract.', {
    received: incoming.statusCode,
    findings: renderFindings(failures),
  });
}

function finish(
  passage: Passage,
  incoming: IncomingMessage,
  body: RecordedBody,
): readonly TrafficFailure[] {
  if (passage.isOver) return [];
  passage.isOver = true;
  return passage.judge.take(record(passage, { incoming, body }, undefined));
}

function record(
  { request, sent, sentAt, destination, now }: Passage,
  received: { readonly incoming: IncomingMessage; readonly body: RecordedBody } | undefined,
  foreign: string | undefined,
): RecordedExchange {
  const { method = 'GET', url = '/', rawHeaders } = request;
  return {
    place: '',
    request: {
      method,
      url: destination.origin.origin + pathOf(url),
      // As the target has it: the curl line of a failure is sent there.
      headers: pairsOf(withField(rawHeaders, 'Host', destination.origin.host)),
      body: sent.read(rawHeaders),
    },
    response: received && {
      status: received.incoming.statusCode ?? 0,
      headers: pairsOf(received.incoming.rawHeaders),
      body: received.body,
    },
    foreign,
    sentAt,
    endedAt: now(),
  };
}
