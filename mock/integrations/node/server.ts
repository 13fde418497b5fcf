import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { createRequire } from 'node:module';
import type * as nodeHttp from 'node:http';
import type { Contract } from '../../../contract/index.ts';
import type { ControlOptions } from '../../control/access.ts';
import { isControlTarget } from '../../control/control-target.ts';
import type { Control } from '../../control/control.ts';
import type { ControlConnection, ControlInterface } from '../../control/interface.ts';
import {
  type MockResponse,
  type MockRequest,
  type RequestContent,
  type StreamedResponse,
  framedHeaders,
  maxContentBytes,
} from '../../http/message.ts';
import {
  type ConnectionWatch,
  type ConnectionWatcher,
  watchConnections,
} from './connection-watch.ts';
import { refuseMalformed, sendRaw } from './malformed-request.ts';
import { hasContent, readContent } from './request-content.ts';
import { type Refusal, refuse } from '../../operation/response/refusal.ts';
import type { SlowResponses } from './slow-response.ts';
import type { TlsIdentity } from '../tls/certificate.ts';

export interface ListenOptions {
  /** 0, the default: a free port. */
  readonly port?: number;
  /** `127.0.0.1` by default. */
  readonly host?: string;
  /** Serves HTTPS, with this certificate or a self-signed one that is new each time. */
  readonly tls?: TlsIdentity | 'generated';
  /** Who may use the control interface; false: there is none. Default: this machine. */
  readonly control?: ControlOptions | false;
}

/** A server that listens. */
export interface Listening {
  /** Base URL with the base path of the document: `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  readonly port: number;
  /** The certificate as PEM, for clients to trust; undefined without TLS. */
  readonly certificate: string | undefined;
  /** Lets requests under way finish for a while, then closes; late responses are dropped. */
  close(): Promise<void>;
}

/** What an integration needs of a mock. */
interface Core {
  readonly contract: Pick<Contract, 'basePath' | 'operations'>;
  handle(request: MockRequest): MockResponse;
  refuse(refusal: Refusal): MockResponse;
  sleep(milliseconds: number): Promise<void>;
  control(): Promise<Control>;
  /** Wants to know of connections. */
  readonly connections?: ConnectionWatcher;
}

const graceMilliseconds = 5000;

/** How long slow clients are waited for, in milliseconds. */
const usualPatience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
};

/** Serves a mock over `node:http`. Rejects with the system's error if it cannot listen. */
export async function listen(
  core: Core,
  { port = 0, host = '127.0.0.1', tls, control = {} }: ListenOptions = {},
  patience = usualPatience,
): Promise<Listening> {
  const identity = tls === 'generated' ? await createIdentity(host) : tls;
  // A missing Host is refused in serve(), so that it is answered in the error shape.
  const server = await openServer(
    { ...patience, keepAliveTimeout: 5000, requireHostHeader: false, noDelay: true },
    identity,
  );
  const openControl = control === false ? undefined : createControlOpening(core, control);
  const { connections } = core;
  const watch = connections && watchConnections(server, connections);
  const integration: Integration = { server, watch, slow: undefined, streams: new Set() };
  const onRequest = (request: IncomingMessage, outgoing: ServerResponse): void =>
    serve(core, openControl, integration, request, outgoing);
  server.on('request', onRequest);
  // An expectation other than 100-continue may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseMalformed(core, error, socket),
  );
  server.on('connect', (_request, socket) =>
    sendRaw(socket, core.refuse(refuse('method_not_allowed', 'CONNECT is not allowed here.'))),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  const scheme = identity === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://${renderHost(host)}:${bound}${core.contract.basePath}`,
    port: bound,
    certificate: identity?.cert.toString(),
    close: () => close(integration),
  };
}

type AnyServer = Server | TlsServer;

interface Integration {
  readonly server: AnyServer;
  /** Undefined where nobody wants to know of connections. */
  readonly watch: ConnectionWatch | undefined;
  /** What sends responses late or broken; loaded with the first of them. */
  slow: Promise<SlowResponses> | undefined;
  /** Responses that go on; each ends when it is aborted. */
  readonly streams: Set<AbortController>;
}

/** TLS is loaded only where it is wanted. Throws for a key or certificate that does not work. */
async function openServer(
  options: ServerOptions,
  identity: TlsIdentity | undefined,
): Promise<AnyServer> {
  if (identity === undefined) {
    // As a module of ES, `node:http` brings its `WebSocket` at once, and undici with it: a third of
    // the time that a start takes.
    const http: typeof nodeHttp = createRequire(import.meta.url)('node:http');
    return http.createServer(options);
  }
  const https = await import('node:https');
  return https.createServer({ ...options, ...identity });
}

async function createIdentity(host: string): Promise<TlsIdentity> {
  const { createCertificate } = await import('../tls/certificate.ts');
  return createCertificate([host]);
}

/** Opens the control interface with its first request. */
type OpenControl = (() => Promise<ControlInterface>) | undefined;

function createControlOpening(core: Core, options: ControlOptions): OpenControl {
  const startedAt = Date.now();
  let opened: Promise<ControlInterface> | undefined;
  const open = async (): Promise<ControlInterface> => {
    const { openInterface } = await import('../../control/interface.ts');
    return await openInterface(await core.control(), options, startedAt);
  };
  return () => (opened ??= open());
}

function serve(
  core: Core,
  openControl: OpenControl,
  integration: Integration,
  request: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { server } = integration;
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    const refusal = refuse('malformed_request', 'The request has no Host header.');
    send(server, request, outgoing, core.refuse(refusal));
    return;
  }
  const response = (content: RequestContent): void => {
    const { method = 'GET', url: target = '/', headers, socket: connection } = request;
    if (openControl !== undefined && isControlTarget(target, core.contract)) {
      const asked = { method, target, headers, content };
      const { remoteAddress: address } = connection;
      const isEncrypted = 'encrypted' in connection;
      void control(core, openControl, asked, { address, isEncrypted }).then((one) =>
        one.stream === undefined
          ? send(server, request, outgoing, one)
          : void stream(integration, request, outgoing, one),
      );
      return;
    }
    const answered = core.handle({ method, target, headers, content, connection });
    if (answered.delivery === undefined) send(server, request, outgoing, answered);
    else void deliver(core, integration, request, outgoing, answered);
  };
  const respond = (content: RequestContent): void =>
    integration.watch === undefined
      ? response(content)
      : integration.watch.afterOpenings(() => response(content));
  if (!hasContent(request)) respond(undefined);
  else if (openControl === undefined || !isFileTarget(request.url, core.contract))
    readContent(request, maxContentBytes, respond);
  else
    void openControl()
      .then((opened) => opened.mostBytes(request.headers, request.socket.remoteAddress))
      .catch(() => maxContentBytes)
      .then((most) => readContent(request, most, respond));
}

/** Where a file is handed in: how large it may be is for the control interface to say. */
function isFileTarget(target = '/', contract: Core['contract']): boolean {
  return target === '/_mock/conformance/reports' && isControlTarget(target, contract);
}

function send(
  server: AnyServer,
  request: IncomingMessage,
  outgoing: ServerResponse,
  response: MockResponse,
): void {
  const { status, body } = response;
  const length = Buffer.byteLength(body);
  outgoing.writeHead(status, framedHeaders(response, length, !server.listening));
  outgoing.end(request.method === 'HEAD' ? undefined : body);
}

/** Never rejects. */
async function control(
  core: Core,
  open: NonNullable<OpenControl>,
  request: MockRequest,
  connection: ControlConnection,
): Promise<StreamedResponse> {
  try {
    return await (await open()).response(request, connection);
  } catch (fault) {
    return core.refuse(
      refuse('internal_fault', `The control interface has a fault: ${String(fault)}`),
    );
  }
}

async function deliver(
  core: Core,
  integration: Integration,
  request: IncomingMessage,
  outgoing: ServerResponse,
  response: MockResponse,
): Promise<void> {
  integration.slow ??= import('./slow-response.ts').then(
    ({ SlowResponses }) =>
      new SlowResponses(integration.server, (milliseconds) => core.sleep(milliseconds)),
  );
  await (await integration.slow).send(response, request, outgoing);
}

async function stream(
  { server, streams }: Integration,
  request: IncomingMessage,
  outgoing: ServerResponse,
  response: StreamedResponse,
): Promise<void> {
  const { sendStream } = await import('./streamed-response.ts');
  const end = new AbortController();
  streams.add(end);
  if (!server.listening) end.abort();
  await sendStream(response, request, outgoing, end);
  streams.delete(end);
}

/** IPv6 stands in brackets in a URL (RFC 3986 section 3.2.2); unspecified means loopback. */
function renderHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

async function close({ server, slow, streams }: Integration): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  for (const one of streams) one.abort();
  const deadline = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  server.closeIdleConnections();
  (await slow)?.end();
  await closed;
  clearTimeout(deadline);
}
