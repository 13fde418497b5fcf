import type { ControlClient, ControlEvent, Exchange } from '../../mock/control/client.ts';
import { describeError } from './describe-error.ts';
import type { EventConnection } from './events.ts';

/** A request in the log, with a number that is unique while the page is open. */
export interface LoggedRequest {
  readonly number: number;
  readonly exchange: Exchange;
}

/** The log at one moment. */
export interface LogSnapshot {
  /** Oldest first, at most `maxRequests`. */
  readonly requests: readonly LoggedRequest[];
  /** Number of requests dropped for later ones. */
  readonly leftOut: number;
  /** Number of the last request; 0 before the first. */
  readonly lastNumber: number;
  /** Why the journals could not be read; undefined if they were. */
  readonly problem: string | undefined;
}

/** The name of a request in a fragment: its sandbox, and its number there from 1. */
export function nameOf({ exchange }: LoggedRequest): string {
  return `${exchange.sandbox}.${exchange.index + 1}`;
}

/** Most requests that the page keeps. */
export const maxRequests = 10_000;

/**
 * The last requests to the service in all sandboxes: those in the journals, and new ones. After a lost
 * connection or dropped exchanges, the journals are read again.
 */
export class RequestLog {
  snapshot: LogSnapshot = { requests: [], leftOut: 0, lastNumber: 0, problem: undefined };
  readonly #control: ControlClient;
  readonly #listeners = new Set<() => void>();
  #instance: string | undefined;
  /**
   * By sandbox, index and time: an exchange may arrive again after the journal had it, and a sandbox may be
   * reset.
   */
  readonly #requests = new Map<string, LoggedRequest>();
  /** Events are handled in sequence, because reading the journals takes time. */
  #queue = Promise.resolve();

  constructor(control: ControlClient, events: Pick<EventConnection, 'subscribe'>) {
    this.#control = control;
    events.subscribe((event) => {
      this.#queue = this.#queue.then(() => this.#handle(event));
    });
  }

  /** Calls back after each change, until the function that it returns is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #handle({ kind, data }: ControlEvent): Promise<void> {
    let { problem } = this.snapshot;
    if (kind === 'hello' && data.instance !== this.#instance) {
      // Another instance has other journals, without any known request.
      this.#requests.clear();
      this.snapshot = { ...this.snapshot, leftOut: 0 };
      this.#instance = data.instance;
    }
    if (kind === 'hello' || kind === 'dropped')
      problem = await this.#read().then(() => undefined, describeError);
    else if (kind === 'exchanges') this.#add(data);
    else if (kind === 'change' && data.parts.includes('journal')) this.#forget(data.sandbox);
    else return;
    this.snapshot = { ...this.snapshot, problem, requests: [...this.#requests.values()] };
    for (const listener of this.#listeners) listener();
  }

  /** Reads as many journals as the log has room for: of `main`, and of the most recently used sandboxes. */
  async #read(): Promise<void> {
    const [main, ...others] = await this.#control.call('listSandboxes', {});
    const journals: (readonly Exchange[])[] = [];
    let room = maxRequests;
    for (const { name, requests } of [...(main ? [main] : []), ...others.toReversed()]) {
      if (room <= 0) break;
      const { exchanges } = await this.#control.call('readJournal', { sandbox: name });
      // With fewer requests than known, it was reset.
      const known = this.#requests.values().filter((one) => one.exchange.sandbox === name);
      if (known.some(({ exchange }) => exchange.index >= requests)) this.#forget(name);
      journals.push(exchanges);
      room -= exchanges.length;
    }
    this.#add(mergeByTime(journals));
  }

  #add(exchanges: readonly Exchange[]): void {
    let { lastNumber, leftOut } = this.snapshot;
    for (const exchange of exchanges) {
      const key = `${exchange.sandbox} ${exchange.index} ${exchange.at}`;
      if (this.#requests.has(key)) continue;
      lastNumber += 1;
      this.#requests.set(key, { number: lastNumber, exchange });
    }
    for (const key of this.#requests.keys()) {
      if (this.#requests.size <= maxRequests) break;
      this.#requests.delete(key);
      leftOut += 1;
    }
    this.snapshot = { ...this.snapshot, lastNumber, leftOut };
  }

  #forget(sandbox: string): void {
    for (const [key, { exchange }] of this.#requests)
      if (exchange.sandbox === sandbox) this.#requests.delete(key);
  }
}

/** By time, but never against the order within a journal, because a clock may have been moved back. */
function mergeByTime(journals: readonly (readonly Exchange[])[]): readonly Exchange[] {
  const timed = journals.flatMap((exchanges) => {
    let latest = '';
    return exchanges.map((exchange) => {
      if (exchange.at > latest) latest = exchange.at;
      return { exchange, latest };
    });
  });
  return timed
    .toSorted((one, other) => (one.latest < other.latest ? -1 : Number(one.latest > other.latest)))
    .map(({ exchange }) => exchange);
}
