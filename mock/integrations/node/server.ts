import type * as nodeHttp from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { isLoopback } from '../../../contract/http/address.ts';
import type { Contract } from '../../../contract/contract.ts';
import { isControlTarget } from '../../control/control-target.ts';
import type { Control } from '../../control/control.ts';
import type { InterfaceOptions } from '../../control/interface.ts';
import {
  type MockResponse,
  type RequestContent,
  framedHeaders,
  maxContentBytes,
  type MockRequest,
} from '../../http/message.ts';
import { refuse, type Refusal } from '../../operation/response/refusal.ts';
import type { TlsIdentity } from '../tls/certificate.ts';
import {
  type ConnectionWatch,
  watchConnections,
  watchSilence,
  type ConnectionWatcher,
} from './connection-watch.ts';
import type { ControlResponses, ControlledCore, Send } from './control-responses.ts';
import { findHostFault, refuseMalformed, sendRaw, mostHead } from './malformed-request.ts';
import { Outbox } from './outbox.ts';
import { PlainConnections } from './plain-connections.ts';
import { createPlainRenderer } from './plain-response.ts';
import { Receiving, hasContent, readContent, refuseCrowd } from './request-content.ts';
import type { SlowResponses } from './slow-response.ts';

export interface ListenOptions {
  /** 0, the default: a free port. */
  readonly port?: number;
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** Serves HTTPS, with this certificate or a self-signed one that is new each time. */
  readonly tls?: TlsIdentity | 'generated';
  /** Who may use the control interface; false: there is none. Default: this machine. */
  readonly control?: InterfaceOptions | false;
}

/** A server that listens. */
export interface Listening {
  /** Base URL with the base path of the document: `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  readonly port: number;
  /** The address that it listens on where other machines may reach it; undefined where none can. */
  readonly openAddress: string | undefined;
  /** The certificate as PEM, for clients to trust; undefined without TLS. */
  readonly certificate: string | undefined;
  /**
   * Lets requests under way finish for a while, then closes. What waits is ended at once: late
   * responses are dropped, waits for the journal are answered, silent connections are closed.
   */
  close(): Promise<void>;
}

/** Connections at once. */
const mostConnections = 5000;

/** A server of HTTP, over TLS or not. */
type AnyServer = Server | TlsServer;

/** How long slow clients are waited for, in milliseconds. */
const usualPatience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 5000,
  /** How much longer an idle connection stays open than `Keep-Alive` says. */
  keepAliveTimeoutBuffer: 1000,
  /** How long a short response may wait for its client. */
  unread: 60_000,
};

interface Patience extends Partial<typeof usualPatience> {
  /** For requests under way when the server is closed. */
  readonly grace?: number;
  /** How many may be open at once. */
  readonly connections?: number;
}

/** Serves a mock over `node:http`. Rejects with the system's error if it cannot listen. */
export async function listen(
  core: Core,
  { port = 0, host = '127.0.0.1', tls, control = {} }: ListenOptions = {},
  { grace = 5000, connections = mostConnections, ...others }: Patience = {},
): Promise<Listening> {
  const patience = { ...usualPatience, ...others };
  const identity = tls === 'generated' ? await createIdentity(host) : tls;
  const startedAt = Date.now();
  // A missing Host is refused in serve(), so that it is answered in the error shape.
  const server = await openServer(
    {
      ...patience,
      maxHeaderSize: mostHead,
      requireHostHeader: false,
      noDelay: true,
      optimizeEmptyRequests: true,
    },
    identity,
  );
  server.maxConnections = connections;
  // What serves connections is made when the first one comes.
  const own = server.listeners('connection');
  server.removeAllListeners('connection');
  let integration: Integration | undefined;
  server.once('connection', (socket) => {
    for (const listener of own) server.on('connection', (each) => listener.call(server, each));
    const isPlain = (identity ?? core.connections ?? core.respond) === undefined;
    integration = serveConnections(core, server, { control, startedAt, isPlain, patience });
    server.emit('connection', socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  const address = server.address();
  const isBound = typeof address === 'object' && address !== null;
  const bound = isBound ? address.port : port;
  const scheme = identity === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://${renderHost(host)}:${bound}${core.contract.basePath}`,
    port: bound,
    openAddress: isBound && !isLoopback(address.address) ? address.address : undefined,
    certificate: identity?.cert.toString(),
    close: () => close(server, integration, grace),
  };
}

/** TLS is loaded only where it is wanted. Throws for a key or certificate that does not work. */
async function openServer(
  options: ServerOptions,
  identity: TlsIdentity | undefined,
): Promise<AnyServer> {
  if (identity === undefined) return loadHttp().createServer(options);
  const https = await import('node:https');
  return https.createServer({ ...options, ...identity });
}

/**
 * The module `node:http`. Imported as a module of ES it brings its `WebSocket` at once, and undici
 * with it: a third of the time that a start takes.
 */
function loadHttp(): typeof nodeHttp {
  const http: typeof nodeHttp = createRequire(import.meta.url)('node:http');
  return http;
}

/** A certificate of its own for a host. */
async function createIdentity(host: string): Promise<TlsIdentity> {
  const { createCertificate } = await import('../tls/certificate.ts');
  return createCertificate([host]);
}

/** An IPv6 address is in brackets in a URL (RFC 3986 section 3.2.2); unspecified means loopback. */
function renderHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function serveConnections(
  core: Core,
  server: AnyServer,
  { control, startedAt, isPlain, patience }: Serving,
): Integration {
  const outbox = new Outbox();
  const { connections } = core;
  const controls =
    control === false
      ? undefined
      : createControlOpening(core, control, startedAt, (...sent) =>
          send({ server, outbox }, ...sent),
        );
  const integration: Integration = {
    server,
    outbox,
    receiving: new Receiving(),
    controls,
    watch: connections && watchConnections(server, connections),
    silent: watchSilence(server),
    plain: isPlain ? openPlain(core, server, { outbox, controls }, patience) : undefined,
    slow: undefined,
  };
  const onRequest = (request: IncomingMessage, outgoing: ServerResponse): void => {
    integration.silent.delete(request.socket);
    serve(core, integration, request, outgoing);
  };
  server.on('request', onRequest);
  // An expectation other than 100-continue may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseMalformed(core, error, socket),
  );
  server.on('connect', (_request, socket) =>
    sendRaw(
      socket,
      core.refuse(refuse('method_not_allowed', 'CONNECT is not allowed here.'), socket),
    ),
  );
  return integration;
}

interface Serving {
  readonly control: InterfaceOptions | false;
  /** When the mock began to listen, by the clock of the machine. */
  readonly startedAt: number;
  /** Most requests are read without `node:http`. */
  readonly isPlain: boolean;
  readonly patience: typeof usualPatience;
}

interface Integration {
  readonly server: AnyServer;
  readonly outbox: Outbox;
  readonly receiving: Receiving;
  /** Undefined over TLS, and where something watches connections. */
  readonly plain: PlainConnections | undefined;
  /** Undefined where nothing watches connections. */
  readonly watch: ConnectionWatch | undefined;
  /** Connections by which no request has come yet. */
  readonly silent: Set<Socket>;
  /** Undefined where there is no control interface. */
  readonly controls: OpenControl | undefined;
  /** What sends responses late or broken; loaded with the first of them. */
  slow: Promise<SlowResponses> | undefined;
}

/** Opens the control interface with its first request. */
interface OpenControl {
  (): Promise<ControlResponses>;
  /** Undefined before. */
  opened?: Promise<ControlResponses>;
}

/** What opens the control interface of one server when it is first asked for. */
function createControlOpening(
  core: ControlledCore,
  options: InterfaceOptions,
  startedAt: number,
  send: Send,
): OpenControl {
  const load = async (): Promise<ControlResponses> => {
    const { ControlResponses } = await import('./control-responses.ts');
    return new ControlResponses(core, options, startedAt, send);
  };
  const open: OpenControl = () => (open.opened ??= load());
  return open;
}

/** Where a file is handed in: how large it may be is for the control interface to say. */
function isFileTarget(target: string | undefined, contract: Core['contract']): boolean {
  return target === '/_mock/conformance/reports' && isControlTarget(target, contract);
}

function openPlain(
  core: Core,
  server: AnyServer,
  { outbox, controls }: Pick<Integration, 'outbox' | 'controls'>,
  patience: typeof usualPatience,
): PlainConnections {
  const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  return new PlainConnections(server, {
    handle: (request) => core.handle(request),
    isOther: (target) =>
      outbox.isCrowded || (controls !== undefined && isControlTarget(target, core.contract)),
    render: createPlainRenderer(
      loadHttp().STATUS_CODES,
      Math.floor(patience.keepAliveTimeout / 1000),
    ),
    refuseSilent: (socket) => refuseMalformed(core, late, socket),
    patience: {
      first: patience.headersTimeout,
      next: patience.keepAliveTimeout + patience.keepAliveTimeoutBuffer,
      unread: patience.unread,
      interval: patience.connectionsCheckingInterval,
    },
  });
}

function serve(
  core: Core,
  integration: Integration,
  request: IncomingMessage,
  outgoing: ServerResponse,
): void {
  // What came with the request for which a connection was broken off is not carried out.
  if (request.socket.destroyed) return;
  const { controls } = integration;
  const fault = findHostFault(request);
  if (fault !== undefined) {
    // What is ahead of the next request cannot be trusted either.
    outgoing.shouldKeepAlive = false;
    send(
      integration,
      request,
      outgoing,
      core.refuse(refuse('malformed_request', fault), request.socket),
    );
    return;
  }
  const response = (content: RequestContent): void => {
    const { method = 'GET', url: target = '/', headers, socket: connection } = request;
    if (controls !== undefined && isControlTarget(target, core.contract)) {
      const asked = { method, target, headers, content };
      void controls().then((opened) => opened.answer(asked, request, outgoing));
      return;
    }
    const asked = { method, target, headers, content, connection };
    const prepared = integration.plain?.takePrepared(connection);
    if (prepared === undefined && core.respond !== undefined)
      void core.respond(asked).then(sendWhole);
    else sendWhole(prepared ?? core.handle(asked));
  };
  const sendWhole = (answered: MockResponse): void => {
    if (answered.delivery === undefined) send(integration, request, outgoing, answered);
    else void deliver(core, integration, request, outgoing, answered);
  };
  const respond = (content: RequestContent): void => {
    if (integration.outbox.isCrowded)
      integration.outbox.admit(request.socket, () => respond(content));
    else if (integration.watch === undefined) response(content);
    else integration.watch.afterOpenings(() => response(content));
  };
  const { receiving } = integration;
  const crowded = (): void =>
    send(integration, request, outgoing, core.refuse(refuseCrowd(), request.socket));
  const read = (most: number): void =>
    readContent(request, { most, receiving, done: respond, crowded });
  if (!hasContent(request)) respond(undefined);
  else if (controls === undefined || !isFileTarget(request.url, core.contract))
    read(maxContentBytes);
  else
    void controls()
      .then((opened) => opened.mostBytes(request))
      .then(read);
}

function send(
  { server, outbox }: Pick<Integration, 'server' | 'outbox'>,
  request: IncomingMessage,
  outgoing: ServerResponse,
  response: MockResponse,
): void {
  const { status, body } = response;
  const length = Buffer.byteLength(body);
  outgoing.writeHead(status, framedHeaders(response, length, !server.listening));
  outgoing.end(request.method === 'HEAD' ? undefined : body);
  outbox.add(outgoing, length, request.socket);
}

async function deliver(
  core: Core,
  integration: Integration,
  request: IncomingMessage,
  outgoing: ServerResponse,
  response: MockResponse,
): Promise<void> {
  integration.slow ??= import('./slow-response.ts').then(
    ({ SlowResponses }) => new SlowResponses(integration.server, (...wait) => core.sleep(...wait)),
  );
  integration.outbox.add(outgoing, response.body.length, request.socket);
  await (await integration.slow).send(response, request, outgoing);
}

async function close(
  server: AnyServer,
  integration: Integration | undefined,
  grace: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const deadline = setTimeout(() => {
    server.closeAllConnections();
    integration?.plain?.destroy();
  }, grace);
  server.closeIdleConnections();
  integration?.plain?.end();
  for (const socket of integration?.silent ?? []) socket.destroy();
  (await integration?.controls?.opened)?.end();
  (await integration?.slow)?.end();
  await closed;
  clearTimeout(deadline);
}

/** What an integration needs of a mock. */
interface Core {
  readonly contract: Pick<Contract, 'basePath' | 'operations'>;
  handle(request: MockRequest): MockResponse;
  /** In the place of `handle`, where state is kept outside of the process. */
  readonly respond?: ((request: MockRequest) => Promise<MockResponse>) | undefined;
  refuse(refusal: Refusal, connection?: object): MockResponse;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  control(): Promise<Control>;
  /** Wants to know of connections. */
  readonly connections?: ConnectionWatcher;
}
