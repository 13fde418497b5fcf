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

/** Bytes of the fields of a message that are taken: more than servers do, who are to refuse them. */
const maxFieldBytes = 128 * 1024;

export interface ProxyOptions {
  /** Base address of the target, with its version segment. */
  readonly target: string;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /**
   * An invalid request is refused instead of forwarded, and a response that breaks the contract is
   * answered 502, with the findings. Default false.
   */
  readonly errors?: boolean | undefined;
  /** False: the certificate of the target is not verified. Default true. */
  readonly verifyTls?: boolean | undefined;
  /** Milliseconds since the Unix epoch; default: the machine's clock, with fractions. */
  readonly now?: (() => number) | undefined;
  readonly requireTested?: TrafficJudgeOptions['requireTested'];
  readonly onFailure?: TrafficJudgeOptions['onFailure'];
}

/** A proxy that listens. */
export interface TrafficProxy {
  /** Base address for clients: as that of the target, with another origin. */
  readonly baseUrl: string;
  /** That of the target, as it is used. */
  readonly target: string;
  /** All that was found. Holds no key. */
  readonly sum: () => TrafficSum;
  /** Ends it: requests under way have the time to end that is given, milliseconds. */
  readonly close: (grace?: number) => Promise<void>;
}

/**
 * Starts a proxy in front of a server: requests and responses pass as they are and as they come,
 * and each exchange is judged by what it shows, a moment after it ended. Rejects where it cannot listen, and with
 * `PetstoreError` for an address that is none.
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
  // `Expect: 100-continue` goes to the target, and the client waits for what it says.
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

/** Exchanges, bytes of their bodies, and milliseconds that judging waits for at most. */
const most = { exchanges: 256, bytes: 4 * 1024 * 1024, delay: 50 } as const;

/**
 * Exchanges that passed and are still to be judged. Many at once cost less than half of one at a
 * time, as code and data of the judge stay in the caches of the processor, and no response waits.
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

  /** Judges all that waits. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (const judge of waiting) judge();
  }
}

/** With fractions, as several requests fit into a millisecond. */
function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

function nameOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
