import type * as nodeHttp from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import type { Contract } from '../../../contract/contract.ts';
import { isLoopback } from '../../../contract/http/address.ts';
import { isContentIgnored } from '../../../contract/openapi/operation.ts';
import { isControlTarget } from '../../operation/router.ts';
import type { Control } from '../../control/control.ts';
import type { InterfaceOptions } from '../../control/interface.ts';
import {
  type MockResponse,
  type RequestContent,
  framedHeaders,
  maxContentBytes,
} from '../../http/message.ts';
import { type Reason, type Refusal, refuse } from '../../operation/response/refusal.ts';
import { ConnectionBroken, ContentCollector, type IntegrationCore } from '../in-process.ts';
import { ConnectionWatch, type ConnectionWatcher } from './connection-watch.ts';
import type { ControlResponses } from './control-responses.ts';
import { Outbox } from './outbox.ts';
import { PlainConnections, usualPatience } from './plain-connections.ts';
import type { SlowResponses } from './slow-response.ts';

export interface ListenOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Serves HTTPS with this private key and certificate, both PEM. */
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer };
  /** Who may use the control interface; false: nobody. Default: this machine. */
  readonly control?: InterfaceOptions | false;
}

/** A listening server. */
export interface Listening {
  /** Base URL with the base path of the document: `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  readonly port: number;
  /** The address that it listens on if other machines may reach it; undefined if none can. */
  readonly openAddress: string | undefined;
  /**
   * Closes after requests in progress have had some time to finish. Waiting work ends at once:
   * delayed responses are dropped, waits for the journal are answered, idle connections are closed.
   */
  close(): Promise<void>;
}

/** What a server needs from a mock. Every `Mock` has it. */
export interface ServedMock extends IntegrationCore {
  readonly contract: Pick<Contract, 'basePath' | 'operations'>;
  refuse(refusal: Refusal, connection?: object): MockResponse;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  control(): Promise<Control>;
  /** Observes connections. */
  readonly connections?: ConnectionWatcher;
}

/** An HTTP server, with or without TLS. */
type AnyServer = Server | TlsServer;

/** Size limit of a request line with its headers, in bytes. */
export const maxHead = 16_384;

const serverOptions = {
  maxHeaderSize: maxHead,
  // A missing Host is refused in the error shape.
  requireHostHeader: false,
  noDelay: true,
  optimizeEmptyRequests: true,
};

/**
 * Serves a mock over in-process connections. Returns a function that opens one and returns the
 * client's end.
 */
export function serveInProcess(core: ServedMock): () => Duplex {
  const options = { ...serverOptions, requestTimeout: 0, headersTimeout: 0 };
  const serving = {
    control: false,
    startedAt: 0,
    isPlain: false,
    patience: usualPatience,
  } as const;
  const integration = new Integration(core, loadHttp().createServer(options), serving);
  return () => integration.open();
}

/** Serves a mock over `node:http`. Rejects with the system's error if it cannot listen. */
export async function listen(
  core: ServedMock,
  { port = 0, host = '127.0.0.1', tls, control = {} }: ListenOptions = {},
  some: Partial<typeof usualPatience> = {},
): Promise<Listening> {
  const patience = { ...usualPatience, ...some };
  const startedAt = Date.now();
  const options = { ...patience, ...serverOptions };
  // TLS is loaded only if needed. Throws for an invalid key or certificate.
  const server: AnyServer =
    tls === undefined
      ? loadHttp().createServer(options)
      : (await import('node:https')).createServer({ ...options, ...tls });
  server.maxConnections = patience.connections;
  const isPlain = (tls ?? core.connections ?? core.respond) === undefined;
  const integration = new Integration(core, server, { control, startedAt, isPlain, patience });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  const address = server.address();
  const isBound = typeof address === 'object' && address !== null;
  const bound = isBound ? address.port : port;
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://${renderHost(host)}:${bound}${core.contract.basePath}`,
    port: bound,
    openAddress: isBound && !isLoopback(address.address) ? address.address : undefined,
    async close() {
      const closed = new Promise<unknown>((resolve) => server.close(resolve));
      const deadline = setTimeout(() => {
        server.closeAllConnections();
        integration.destroy();
      }, patience.grace);
      server.closeIdleConnections();
      await integration.end();
      await closed;
      clearTimeout(deadline);
    },
  };
}

/**
 * Loads `node:http` with `require`. An ES import would evaluate its `WebSocket` getter, and so load
 * undici: a third of the startup time.
 */
function loadHttp(): typeof nodeHttp {
  const http: typeof nodeHttp = createRequire(import.meta.url)('node:http');
  return http;
}

/**
 * IPv6 addresses are in brackets in a URL (RFC 3986 section 3.2.2); an unspecified address is shown
 * as loopback.
 */
function renderHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

interface ServingOptions extends Required<Pick<ListenOptions, 'control'>> {
  /** When the mock began to listen, in milliseconds since 1970 by the clock of the machine. */
  readonly startedAt: number;
  /** Most requests are read without `node:http`. */
  readonly isPlain: boolean;
  readonly patience: typeof usualPatience;
}

/** Serves the connections of one server. */
class Integration {
  readonly #core: ServedMock;
  readonly #server: AnyServer;
  readonly #options: ServingOptions;
  readonly #outbox = new Outbox();
  #isOver = false;
  /** Bytes of bodies being received, over all connections. */
  #receiving = 0;
  /** Undefined if nothing observes connections. */
  readonly #watch: ConnectionWatch | undefined;
  /** Connections without a request so far, by the client's end. */
  readonly #silent = new Map<string, Socket>();
  /** Undefined for TLS, and if something observes connections. */
  readonly #plain: PlainConnections | undefined;
  /** The control interface. Loaded by the first request to it. */
  #controls: Promise<ControlResponses> | undefined;
  /** Sends delayed and broken responses. Loaded by the first of them. */
  #slow: Promise<SlowResponses> | undefined;

  constructor(core: ServedMock, server: AnyServer, options: ServingOptions) {
    this.#core = core;
    this.#server = server;
    this.#options = options;
    this.#watch = core.connections && new ConnectionWatch(server, core.connections);
    const watchSilence = (socket: Socket): void => {
      const peer = peerOf(socket);
      this.#silent.set(peer, socket);
      socket.once('close', () => {
        if (this.#silent.get(peer) === socket) this.#silent.delete(peer);
      });
    };
    // With TLS, a different socket object is used after the handshake.
    server.on('connection', watchSilence).on('secureConnection', watchSilence);
    this.#plain = options.isPlain
      ? new PlainConnections(server, {
          core,
          outbox: this.#outbox,
          isControlled: options.control !== false,
          phrases: loadHttp().STATUS_CODES,
          refuseSilent: (socket) => this.#refuseRaw(socket, ...tooLate),
          patience: options.patience,
        })
      : undefined;
    const onRequest = (request: IncomingMessage, outgoing: ServerResponse): void => {
      this.#silent.delete(peerOf(request.socket));
      this.#serve(request, outgoing);
    };
    server.on('request', onRequest);
    // An expectation other than 100-continue may be ignored (RFC 9110 section 10.1.1).
    server.on('checkExpectation', onRequest);
    server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
      if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else this.#refuseRaw(socket, ...(malformed[code ?? ''] ?? notHttp));
    });
    server.on('connect', (_request, socket) =>
      this.#refuseRaw(socket, 'method_not_allowed', 'CONNECT is not allowed here.'),
    );
  }

  /** The client's end of a new in-process connection. */
  open(): Duplex {
    const [client, served] = duplexPair();
    served.once('close', () => {
      if (!served.writableFinished) client.destroy(new ConnectionBroken());
    });
    client.once('close', () => served.destroy());
    this.#server.emit('connection', served);
    return client;
  }

  /** Ends waiting work and lets the rest finish. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#plain?.end();
    for (const socket of this.#silent.values()) socket.destroy();
    (await this.#controls)?.end();
    (await this.#slow)?.end();
  }

  destroy(): void {
    this.#plain?.destroy();
  }

  /** The control interface, if a request goes to it; else undefined. */
  #controlsFor(target: string | undefined): Promise<ControlResponses> | undefined {
    const { control, startedAt } = this.#options;
    if (control === false || !isControlTarget(target ?? '/', this.#core.contract)) return undefined;
    return (this.#controls ??= import('./control-responses.ts').then(({ openControlResponses }) =>
      openControlResponses(this.#core, control, startedAt, (...sent) => this.#send(...sent)),
    ));
  }

  #serve(request: IncomingMessage, outgoing: ServerResponse): void {
    // Stop while responses of connections that were broken off are still in memory.
    if (this.#outbox.leaving > 0) request.socket.destroy();
    if (request.socket.destroyed) return;
    const fault = findHostFault(request);
    if (fault !== undefined) {
      // After such a request, the rest of the connection cannot be trusted.
      outgoing.shouldKeepAlive = false;
      this.#refuse(request, outgoing, refuse('malformed_request', fault));
      return;
    }
    if (!hasContent(request)) {
      this.#admit(request, outgoing, undefined);
      return;
    }
    // The control interface has its own limit for files.
    const isFile = request.url === '/_mock/conformance/reports';
    const controls = isFile ? this.#controlsFor(request.url) : undefined;
    if (controls === undefined) this.#read(request, outgoing, maxContentBytes);
    else
      void controls
        .then((opened) => opened.maxBytes(request))
        .then((most) => this.#read(request, outgoing, most));
  }

  /** Reads the body of a request. If it exceeds the limit, the rest is read and dropped. */
  #read(request: IncomingMessage, outgoing: ServerResponse, most: number): void {
    const done = (content: RequestContent): void => this.#admit(request, outgoing, content);
    if (Number(request.headers['content-length']) > most) {
      done('too-large');
      return;
    }
    const { receiving } = this.#options.patience;
    const collector = new ContentCollector(most);
    let taken = 0;
    const leave = (): void => {
      this.#receiving -= taken;
      taken = 0;
      request.off('data', onData).off('end', onEnd).off('close', leave);
    };
    const onData = (chunk: Buffer): void => {
      const isRoom = this.#receiving + chunk.length <= receiving;
      if (isRoom) {
        taken += chunk.length;
        this.#receiving += chunk.length;
        if (collector.add(chunk)) return;
      }
      leave();
      request.resume();
      if (isRoom) done('too-large');
      else {
        const message = `The mock receives at most ${receiving / 2 ** 20} MiB of request bodies at once. Try again.`;
        this.#refuse(request, outgoing, refuse('memory', message));
      }
    };
    const onEnd = (): void => {
      leave();
      done(collector.content);
    };
    request.on('data', onData).on('end', onEnd).on('close', leave);
    request.on('error', () => {});
  }

  /** Responds after all connections that were opened earlier are accepted. */
  #admit(request: IncomingMessage, outgoing: ServerResponse, content: RequestContent): void {
    if (this.#watch === undefined) void this.#answer(request, outgoing, content);
    else this.#watch.afterOpenings(() => void this.#answer(request, outgoing, content));
  }

  /** Responds immediately if the response is ready. Never rejects. */
  async #answer(
    request: IncomingMessage,
    outgoing: ServerResponse,
    content: RequestContent,
  ): Promise<void> {
    const { method = 'GET', url: target = '/', headers, socket: connection } = request;
    const controls = this.#controlsFor(target);
    if (controls !== undefined) {
      await (await controls).answer({ method, target, headers, content }, request, outgoing);
      return;
    }
    const asked = { method, target, headers, content, connection };
    const prepared = this.#plain?.takePrepared(connection);
    const response =
      prepared ??
      (this.#core.respond === undefined
        ? this.#core.handle(asked)
        : await this.#core.respond(asked));
    if (response.delivery === undefined) this.#send(request, outgoing, response);
    else await this.#deliver(request, outgoing, response);
  }

  #refuse(request: IncomingMessage, outgoing: ServerResponse, refusal: Refusal): void {
    this.#send(request, outgoing, this.#core.refuse(refusal, request.socket));
  }

  #send(request: IncomingMessage, outgoing: ServerResponse, response: MockResponse): void {
    const { status, body } = response;
    const length = Buffer.byteLength(body);
    outgoing.writeHead(status, framedHeaders(response, length, this.#isOver));
    outgoing.end(request.method === 'HEAD' ? undefined : body);
    this.#outbox.add(outgoing, length, request.socket);
  }

  async #deliver(
    request: IncomingMessage,
    outgoing: ServerResponse,
    response: MockResponse,
  ): Promise<void> {
    this.#slow ??= import('./slow-response.ts').then(
      ({ SlowResponses }) => new SlowResponses((...wait) => this.#core.sleep(...wait)),
    );
    this.#outbox.add(outgoing, response.body.length, request.socket);
    await (await this.#slow).send(response, request, outgoing);
  }

  /** Sends a refusal on a socket that `node:http` has rejected, and closes it. */
  #refuseRaw(socket: Duplex, reason: Reason, message: string): void {
    const response = this.#core.refuse(refuse(reason, message), socket);
    const { status, body } = response;
    const headers = framedHeaders(response, Buffer.byteLength(body), true);
    const lines = [`HTTP/1.1 ${status} `];
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
    socket.on('error', () => {});
    socket.end([...lines, '', body].join('\r\n'));
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Why input on a connection is refused. */
type Malformed = readonly [reason: Reason, message: string];

const notHttp: Malformed = ['malformed_request', 'The request is not valid HTTP.'];

const tooLate: Malformed = ['request_timeout', 'The request did not arrive in time.'];

/** By error code of `node:http`. */
const malformed: Readonly<Record<string, Malformed>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    `The request line and headers are larger than ${maxHead} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: tooLate,
};

/** What is wrong with the `Host` of a request (RFC 9112 section 3.2); undefined if nothing. */
function findHostFault({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined)
    return httpVersion === '1.1' ? 'The request has no Host header.' : undefined;
  if (!/^[^\s/?#@,\\]*$/.test(host)) return 'The Host header is not a valid host.';
  const count = rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length;
  return count > 1 ? 'The request has more than one Host header.' : undefined;
}

/** Whether a request has a body that should be read. */
function hasContent({ method = 'GET', headers }: IncomingMessage): boolean {
  return (
    !isContentIgnored(method) &&
    (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')
  );
}
