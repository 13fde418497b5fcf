import type { ControlClient, ControlEvent, Exchange } from '../../mock/control/client.ts';
import { describeError } from './describe-error.ts';
import type { EventConnection } from './events.ts';

/** A request in the log, with a number that no other has while the page is open. */
export interface LoggedRequest {
  readonly number: number;
  readonly exchange: Exchange;
}

/** The log as it is at one moment. */
export interface LogSnapshot {
  /** Oldest first, at most `mostRequests`. */
  readonly requests: readonly LoggedRequest[];
  /** Number of requests that made room for later ones. */
  readonly leftOut: number;
  /** Number of requests that came while the page was not connected and that no journal has. */
  readonly missed: number;
  /** Number of the last request; 0 before the first. */
  readonly lastNumber: number;
  /** Why the journals could not be read; undefined where they were. */
  readonly problem: string | undefined;
}

/** What a request is called in a fragment: its sandbox, and its number there from 1. */
export function nameOf({ exchange }: LoggedRequest): string {
  return `${exchange.sandbox}.${exchange.index + 1}`;
}

/** The page keeps so many requests. */
export const mostRequests = 10_000;

/** So many journals are read at a time. */
const mostReads = 6;

/**
 * The last requests to the service in all sandboxes: what the journals have, and what comes. When
 * the connection was lost, or exchanges were left out, it reads from the journals what it missed.
 */
export class RequestLog {
  snapshot: LogSnapshot = {
    requests: [],
    leftOut: 0,
    missed: 0,
    lastNumber: 0,
    problem: undefined,
  };
  readonly #control: ControlClient;
  readonly #listeners = new Set<() => void>();
  #instance: string | undefined;
  /** Index of the next exchange of each sandbox. */
  readonly #next = new Map<string, number>();
  /** Events are handled one after another, as reading the journals takes time. */
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
    if (kind === 'hello') {
      // Another instance has other journals: nothing of what was known is in them.
      if (data.instance !== this.#instance) {
        this.#next.clear();
        this.#change({ requests: [], leftOut: 0, missed: 0 });
        this.#instance = data.instance;
      }
      await this.#read();
    } else if (kind === 'dropped') await this.#read();
    else if (kind === 'exchanges') this.#add(data.filter((exchange) => !this.#has(exchange)));
    else if (kind === 'change' && data.parts.includes('journal'))
      this.#forget(data.sandbox, data.parts.includes('sandbox'));
    else return;
    for (const listener of this.#listeners) listener();
  }

  #change(changed: Partial<LogSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...changed };
  }

  /**
   * Reads what the journals have from the next exchange on, of as many sandboxes as the log has room
   * for: `main` and those that were used last.
   */
  async #read(): Promise<void> {
    try {
      const [main, ...others] = await this.#control.call('listSandboxes', {});
      const changed = [...(main === undefined ? [] : [main]), ...others.toReversed()].filter(
        ({ name, requests }) => requests !== (this.#next.get(name) ?? 0),
      );
      const journals: (readonly Exchange[])[] = [];
      while (changed.length > 0 && journals.flat().length < mostRequests) {
        const some = changed.splice(0, mostReads);
        journals.push(...(await Promise.all(some.map((one) => this.#readJournal(one)))));
      }
      this.#add(mergeByTime(journals));
      this.#change({ problem: undefined });
    } catch (error) {
      this.#change({ problem: describeError(error) });
    }
  }

  async #readJournal(sandbox: {
    readonly name: string;
    readonly requests: number;
  }): Promise<readonly Exchange[]> {
    const { name, requests } = sandbox;
    // With fewer requests than were known of it, it was reset.
    if (requests < (this.#next.get(name) ?? 0)) this.#forget(name, true);
    const known = this.#next.get(name);
    const { exchanges } = await this.#control.call('readJournal', {
      sandbox: name,
      ...(known !== undefined && { from: known }),
    });
    const [first] = exchanges;
    if (known !== undefined && first !== undefined)
      this.#change({ missed: this.snapshot.missed + first.index - known });
    return exchanges;
  }

  /**
   * The mock gathers exchanges before it sends them: what a journal had may come a second time.
   * A lower index with another time is of a sandbox that was forgotten and has begun again.
   */
  #has({ sandbox, index, at }: Exchange): boolean {
    if (index >= (this.#next.get(sandbox) ?? 0)) return false;
    return this.snapshot.requests.some(
      ({ exchange }) =>
        exchange.index === index && exchange.sandbox === sandbox && exchange.at === at,
    );
  }

  #add(exchanges: readonly Exchange[]): void {
    const { requests, lastNumber, leftOut } = this.snapshot;
    const added = exchanges.map((exchange, at) => ({ number: lastNumber + at + 1, exchange }));
    for (const { sandbox, index } of exchanges) this.#next.set(sandbox, index + 1);
    const all = [...requests, ...added];
    this.#change({
      requests: all.slice(-mostRequests),
      leftOut: leftOut + Math.max(0, all.length - mostRequests),
      lastNumber: lastNumber + added.length,
    });
  }

  #forget(sandbox: string, isNew: boolean): void {
    const requests = this.snapshot.requests.filter(({ exchange }) => exchange.sandbox !== sandbox);
    this.#change({ requests });
    if (isNew) this.#next.delete(sandbox);
  }
}

/** By their time, but never against the order within a journal: a clock may have been moved back. */
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
