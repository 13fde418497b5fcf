import type { Server, Socket } from 'node:net';
import { isControlTarget } from '../../operation/router.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';

/** What plain connections need of their server. */
export interface PlainService {
  readonly core: {
    readonly contract: Parameters<typeof isControlTarget>[1];
    handle(request: MockRequest): MockResponse;
  };
  /** While destroyed connections are in memory, requests are left to `node:http`. */
  readonly outbox: { readonly leaving: number };
  /** There is a control interface; its requests are left to `node:http`. */
  readonly isControlled: boolean;
  /** Reason phrases by status. */
  readonly phrases: Readonly<Record<number, string | undefined>>;
  /** Called for a connection that sent no request in time. */
  readonly refuseSilent: (socket: Socket) => void;
  readonly patience: typeof usualPatience;
}

/** Time limits for slow clients, in milliseconds, and limits of what all clients use at once. */
export const usualPatience = {
  /** For the first request of a connection. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Interval between checks of all connections; each may stay open this much longer. */
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 5000,
  /** How much longer an idle connection stays open than `Keep-Alive` says. */
  keepAliveTimeoutBuffer: 1000,
  /** Longest wait until a client reads a short response. */
  unread: 60_000,
  /** For requests in progress when the server is closed. */
  grace: 5000,
  /** Open connections. */
  connections: 5000,
  /** Bytes of request bodies being received, over all connections. */
  receiving: 128 * 1024 * 1024,
};

interface Connection {
  /** It has sent no request yet. */
  isFirst: boolean;
  /** Checks since its last request. */
  looks: number;
}

/**
 * A fast path for usual connections: each chunk is one complete simple request, which is answered with
 * one write. With the first chunk that is anything else, the connection is handed to `node:http`, chunk
 * included, for the rest of its life. So only `node:http` has to know all of HTTP.
 */
export class PlainConnections {
  readonly #service: PlainService;
  readonly #passOn: (socket: Socket) => void;
  readonly #connections = new Map<Socket, Connection>();
  /** One timer for all: resetting one for each connection would cost more than reading a request. */
  readonly #timer: NodeJS.Timeout;
  /** Responses for `node:http` to send, by the connection whose next request they belong to. */
  readonly #prepared = new WeakMap<object, MockResponse>();
  /** The last rendered line of each field: most values never change. */
  readonly #lines = new Map<string, { value: string; line: string }>();
  readonly #lastLines: string;

  /** `server`: of `node:http`. Its present listeners for `connection` are called when one is handed over. */
  constructor(server: Server, service: PlainService) {
    this.#service = service;
    const { connectionsCheckingInterval, keepAliveTimeout } = service.patience;
    this.#lastLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}\r\n\r\n`;
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    this.#passOn = (socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on('connection', (socket) => this.#serve(socket));
    this.#timer = setInterval(() => this.#closeIdle(), connectionsCheckingInterval).unref();
  }

  /** The response to the request with which a connection was handed over; undefined for none. */
  takePrepared(socket: object): MockResponse | undefined {
    const prepared = this.#prepared.get(socket);
    if (prepared !== undefined) this.#prepared.delete(socket);
    return prepared;
  }

  /** Closes each connection after what is queued is sent. */
  end(): void {
    clearInterval(this.#timer);
    for (const socket of this.#connections.keys()) socket.end(() => socket.destroy());
  }

  destroy(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #closeIdle(): void {
    const { patience, refuseSilent } = this.#service;
    for (const [socket, connection] of this.#connections) {
      const { isFirst } = connection;
      // A client that reads a response slowly has more time.
      const idle = patience.keepAliveTimeout + patience.keepAliveTimeoutBuffer;
      const wait = socket.writableLength > 0 ? patience.unread : idle;
      const most = isFirst ? patience.headersTimeout : wait;
      connection.looks += 1;
      if (connection.looks <= most / patience.connectionsCheckingInterval) continue;
      if (isFirst) refuseSilent(socket);
      else socket.destroy();
    }
  }

  #serve(socket: Socket): void {
    const { core, outbox, isControlled } = this.#service;
    const connection: Connection = { isFirst: true, looks: 0 };
    const onData = (chunk: Buffer): void => {
      const isBusy = socket.writableNeedDrain || outbox.leaving > 0;
      const request = isBusy ? undefined : readPlainRequest(chunk, socket);
      if (
        request === undefined ||
        (isControlled && isControlTarget(request.target, core.contract))
      ) {
        leave(chunk);
        return;
      }
      connection.isFirst = false;
      connection.looks = 0;
      const response = core.handle(request);
      if (this.#write(socket, response, request.method)) return;
      this.#prepared.set(socket, response);
      leave(chunk);
    };
    const onEnd = (): void => void socket.end();
    const onError = (): void => void socket.destroy();
    const onClose = (): void => void this.#connections.delete(socket);
    const leave = (chunk: Buffer): void => {
      socket.off('data', onData).off('end', onEnd);
      socket.off('error', onError).off('close', onClose);
      this.#connections.delete(socket);
      socket.pause();
      socket.unshift(chunk);
      this.#passOn(socket);
      socket.resume();
    };
    this.#connections.set(socket, connection);
    socket.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  }

  /** Sends a response as `node:http` does, byte for byte; false for one that `node:http` has to send. */
  #write(
    socket: Socket,
    { status, headers, body, delivery }: MockResponse,
    method: string,
  ): boolean {
    if (delivery !== undefined || status < 200 || body.length > maxCharacters) return false;
    let text = `HTTP/1.1 ${status} ${this.#service.phrases[status] ?? 'unknown'}\r\n`;
    for (let at = 0; at < headers.length; at += 2) {
      const line = this.#renderLine(headers[at] ?? '', headers[at + 1] ?? '');
      if (line === undefined) return false;
      text += line;
    }
    const length = Buffer.byteLength(body);
    if (status !== 204) text += `Content-Length: ${length}\r\n`;
    text += this.#lastLines;
    if (method !== 'HEAD' && status !== 204 && status !== 304) text += body;
    // ASCII is written faster.
    socket.write(text, length === body.length ? 'latin1' : 'utf8');
    return true;
  }

  /** A field as a line; undefined for one that is not simple. */
  #renderLine(name: string, value: string): string | undefined {
    const last = this.#lines.get(name);
    if (last?.value === value) return last.line;
    if (/[^\t\x20-\x7E]/.test(value)) return undefined;
    // Flattened: a concatenated string would be flattened again for every response.
    const line = [name, ': ', value, '\r\n'].join('');
    if (last !== undefined) {
      last.value = value;
      last.line = line;
      return line;
    }
    if (!/^[a-z\d-]+$/i.test(name) || framingFields.test(name)) return undefined;
    if (this.#lines.size < maxLines) this.#lines.set(name, { value, line });
    return line;
  }
}

/** Longer bodies are left to `node:http`, which counts those that clients have not read. */
const maxCharacters = 16_384;

/** Cached lines; a document has few fields. */
const maxLines = 1000;

/** Fields that frame a message or control its connection. */
const framingFields =
  /^(?:connection|content-length|keep-alive|trailer|transfer-encoding|upgrade)$/i;

/** Longer chunks and heads are left to `node:http`: a field keeps its whole chunk in the journal's memory. */
const maxBytes = 16_384;
const maxHeadBytes = 4096;

/** Requests with more fields are left to `node:http`, which limits their number. */
const maxFields = 100;

/** Origin form (RFC 9112 section 3.2.1) without a fragment. */
const requestLine = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[!"$-~]*) HTTP\/1\.1\r\n/;

/** More fields that frame a request, and `Set-Cookie`, which `node:http` makes a list of. */
const specialFields = new Set(
  'expect keep-alive proxy-connection set-cookie te trailer transfer-encoding upgrade'.split(' '),
);

/** Names as most clients write them: a lookup is faster than converting to lower case. */
const usualNames = new Map(
  (
    'Accept Accept-Encoding Accept-Language Authorization Cache-Control Connection Content-Length ' +
    'Content-Type Cookie Host If-Match If-None-Match Origin Prefer Referer User-Agent X-API-Key ' +
    'accept authorization connection content-length content-type host user-agent'
  )
    .split(' ')
    .map((name) => [name, name.toLowerCase()]),
);

/** Visible ASCII, with spaces only between other characters. */
const plainValue = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * Reads a chunk that is exactly one request, as `node:http` would. Undefined in any doubt: part of a
 * request, several, an old version, a repeated field or one with unusual characters, a chunked body or
 * one without meaning. `node:http` then reads or refuses the chunk.
 */
export function readPlainRequest(chunk: Buffer, connection?: object): MockRequest | undefined {
  if (chunk.length > maxBytes) return undefined;
  const text = chunk.toString('latin1');
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0 || headEnd > maxHeadBytes) return undefined;
  const [line, method = '', target = ''] = requestLine.exec(text) ?? [];
  if (line === undefined) return undefined;
  const headers = readFields(text.slice(line.length, headEnd + 2));
  if (headers === undefined || !/^[\w.[\]:-]+$/.test(headers['host'] ?? '')) return undefined;
  const { 'content-length': declared = '0' } = headers;
  const bodyAt = headEnd + 4;
  const length = chunk.length - bodyAt;
  // Digits without a zero before them.
  if (!/^(?:0|[1-9]\d{0,4})$/.test(declared) || Number(declared) !== length) return undefined;
  if (length === 0) return { method, target, headers, content: undefined, connection };
  if (method === 'GET' || method === 'HEAD') return undefined;
  return { method, target, headers, content: chunk.subarray(bodyAt), connection };
}

/** Reads fields, each with its line end; undefined in any doubt. */
function readFields(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  let end = 0;
  for (let at = 0, count = 0; at < text.length; at = end + 2, count += 1) {
    end = text.indexOf('\r\n', at);
    const nameEnd = text.indexOf(': ', at);
    const sent = text.slice(at, nameEnd);
    const value = text.slice(nameEnd + 2, end);
    const name = usualNames.get(sent) ?? (/^[a-z\d-]+$/i.test(sent) ? sent.toLowerCase() : '');
    const isPlain = nameEnd > at && nameEnd < end && name !== '' && plainValue.test(value);
    if (!isPlain || name in headers || specialFields.has(name)) return undefined;
    if ((name === 'connection' && value !== 'keep-alive') || count >= maxFields) return undefined;
    headers[name] = value;
  }
  return headers;
}
