import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Contract } from '../contract/contract.ts';
import { trimEnd } from '../contract/http/address.ts';
import { parseBaseUrl } from '../conformance/index.ts';
import { TrafficJudge, type TrafficJudgeOptions, type TrafficSum } from './judge.ts';
import { relay, type RelayContext } from './relay.ts';

/**
 * Most bytes of header fields of a message: more than servers accept, so that the server rejects
 * them itself.
 */
const maxFieldBytes = 128 * 1024;

export interface ProxyOptions {
  /** Base URL of the target, with its version segment. */
  readonly target: string;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /**
   * Refuses invalid requests instead of forwarding them, and returns 502 with the findings instead
   * of a response that breaks the contract. Default false.
   */
  readonly errors?: boolean | undefined;
  /** False: does not verify the TLS certificate of the target. Default true. */
  readonly verifyTls?: boolean | undefined;
  /** Milliseconds since the Unix epoch. Default: the system clock, with fractions. */
  readonly now?: (() => number) | undefined;
  readonly requireTested?: TrafficJudgeOptions['requireTested'];
  readonly onFailure?: TrafficJudgeOptions['onFailure'];
}

/** A listening proxy. */
export interface TrafficProxy {
  /** Base URL for clients: that of the target, with another origin. */
  readonly baseUrl: string;
  /** Normalised base URL of the target. */
  readonly target: string;
  /** All findings so far. Contains no key. */
  readonly sum: () => TrafficSum;
  /** Stops the proxy. Requests in progress get this many milliseconds to finish. */
  readonly close: (grace?: number) => Promise<void>;
}

/**
 * Starts a proxy in front of a server. It forwards requests and responses unchanged as they arrive,
 * and judges each exchange shortly after it ended. Rejects if it cannot listen, and with
 * `PetstoreError` if the target is not a valid URL.
 */
export async function startProxy(contract: Contract, options: ProxyOptions): Promise<TrafficProxy> {
  const target = parseBaseUrl(options.target);
  const { requireTested, onFailure, errors, verifyTls, now = preciseNow } = options;
  const { protocol, hostname, port, host, pathname } = new URL(target);
  const judge = new TrafficJudge(contract, {
    baseUrl: target,
    showsCredentials: true,
    requireTested,
    onFailure,
  });
  const settings = { keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' } as const;
  const agent =
    protocol === 'https:'
      ? new SecureAgent({ ...settings, rejectUnauthorized: verifyTls !== false })
      : new Agent(settings);
  const backlog = new Backlog();
  const basePath = trimEnd(pathname, '/');
  const context: RelayContext = {
    destination: {
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      agent,
      maxHeaderSize: maxFieldBytes,
    },
    host,
    basePath,
    judge,
    judgeLater: (one, bytes) => backlog.add(one, bytes),
    isStrict: errors === true,
    now,
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    relay(request, response, context);
  };
  const server = createServer(
    { maxHeaderSize: maxFieldBytes, requireHostHeader: false, requestTimeout: 0 },
    handle,
  );
  // `Expect: 100-continue` is forwarded, and the target decides.
  server.on('checkContinue', handle);
  server.maxHeadersCount = 0;
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: nameOf(server) + basePath,
    target,
    sum: () => {
      backlog.clear();
      return judge.sum();
    },
    close: async (grace = 0) => {
      const closed = once(server, 'close');
      server.close();
      const timer = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearTimeout(timer);
      agent.destroy();
    },
  };
}

/** Most exchanges, bytes of bodies, and milliseconds that judging waits for. */
const most = { exchanges: 256, bytes: 4 * 1024 * 1024, delay: 50 } as const;

/**
 * Finished exchanges to be judged. Judging many at once takes less than half the time, because code
 * and data of the judge stay in the processor's caches, and no response is delayed.
 */
class Backlog {
  #waiting: (() => void)[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  add(judge: () => void, bytes: number): void {
    this.#waiting.push(judge);
    this.#bytes += bytes;
    if (this.#waiting.length >= most.exchanges || this.#bytes >= most.bytes) this.clear();
    else this.#timer ??= setTimeout(() => this.clear(), most.delay);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (const judge of waiting) judge();
  }
}

/** With fractions, because several requests fit into a millisecond. */
function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

function nameOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
