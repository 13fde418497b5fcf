import type { Server, Socket } from 'node:net';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { readPlainRequest } from './plain-request.ts';
import type { RenderPlainResponse } from './plain-response.ts';

/** What answers on plain connections. */
export interface PlainService {
  readonly handle: (request: MockRequest) => MockResponse;
  /** True for a request that is for `node:http` to serve. */
  readonly isOther: (target: string) => boolean;
  readonly render: RenderPlainResponse;
  /** A connection has brought no request in time. */
  readonly refuseSilent: (socket: Socket) => void;
  readonly patience: Patience;
}

/** Milliseconds. */
export interface Patience {
  /** For the first request of a connection. */
  readonly first: number;
  /** For each other. */
  readonly next: number;
  /** For a response to be taken. */
  readonly unread: number;
  /** Connections are looked through so often; each may stay open for so much longer. */
  readonly interval: number;
}

interface Connection {
  /** It has brought no request. */
  isFirst: boolean;
  /** How often connections were looked through since its last request. */
  looks: number;
}

/**
 * Connections as they mostly are: each chunk is one whole and plain request, which is answered with
 * one write. With the first chunk that is anything else a connection goes over to `node:http`, chunk
 * and all, for the rest of its life: so there is one place that knows HTTP, and a short way for what
 * needs no more than a little of it.
 */
export class PlainConnections {
  readonly #service: PlainService;
  readonly #passOn: (socket: Socket) => void;
  readonly #connections = new Map<Socket, Connection>();
  /** One timer for all: to set that of each connection again would cost more than to read a request. */
  readonly #timer: NodeJS.Timeout;
  /** Responses that `node:http` shall send, by the connection whose next request they belong to. */
  readonly #prepared = new WeakMap<object, MockResponse>();

  /**
   * `server`: of `node:http`. Its listeners for `connection`, those that are there by now, are told
   * of a connection when it goes over to it.
   */
  constructor(server: Server, service: PlainService) {
    this.#service = service;
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    this.#passOn = (socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on('connection', (socket) => this.#serve(socket));
    this.#timer = setInterval(() => this.#closeIdle(), service.patience.interval).unref();
  }

  /** The response to the request that a connection was handed over with; undefined for none. */
  takePrepared(socket: object): MockResponse | undefined {
    const prepared = this.#prepared.get(socket);
    if (prepared !== undefined) this.#prepared.delete(socket);
    return prepared;
  }

  /** Sends what is left, then closes. */
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
      // Who takes a response slowly has longer.
      const wait = socket.writableLength > 0 ? patience.unread : patience.next;
      connection.looks += 1;
      if (connection.looks <= (isFirst ? patience.first : wait) / patience.interval) continue;
      if (isFirst) refuseSilent(socket);
      else socket.destroy();
    }
  }

  #serve(socket: Socket): void {
    const { handle, isOther, render } = this.#service;
    const connection: Connection = { isFirst: true, looks: 0 };
    const onData = (chunk: Buffer): void => {
      const request = socket.writableNeedDrain ? undefined : readPlainRequest(chunk, socket);
      if (request === undefined || isOther(request.target)) {
        leave(chunk);
        return;
      }
      connection.isFirst = false;
      connection.looks = 0;
      const response = handle(request);
      const rendered = render(response, request.method);
      if (rendered !== undefined) {
        socket.write(rendered.text, rendered.encoding);
        return;
      }
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
}
