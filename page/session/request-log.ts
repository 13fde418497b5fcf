import type { ControlClient, ControlEvent } from '../../mock/control/client.ts';
import type { EventConnection } from './events.ts';
import type { Exchange } from './types.ts';
import { describeError } from './describe-error.ts';

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
  readonly #control: ControlClient;
  readonly #listeners = new Set<() => void>();
  #requests: LoggedRequest[] = [];
  #count = 0;
  #leftOut = 0;
  #missed = 0;
  #problem: string | undefined;
  #instance: string | undefined;
  /** Index of the next exchange of each sandbox. */
  #next = new Map<string, number>();
  /** Events are taken one after another, as reading the journals takes time. */
  #queue = Promise.resolve();

  constructor(control: ControlClient, events: Pick<EventConnection, 'subscribe'>) {
    this.#control = control;
    events.subscribe((event) => {
      this.#queue = this.#queue.then(async () => await this.#take(event));
    });
  }

  get snapshot(): LogSnapshot {
    return {
      requests: this.#requests,
      leftOut: this.#leftOut,
      missed: this.#missed,
      lastNumber: this.#count,
      problem: this.#problem,
    };
  }

  /** Calls back after each change, until the function that it gives is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #take({ kind, data }: ControlEvent): Promise<void> {
    if (kind === 'hello') {
      // Another instance has other journals: nothing of what was known is in them.
      if (data.instance !== this.#instance) {
        this.#requests = [];
        this.#next = new Map();
        this.#leftOut = 0;
        this.#missed = 0;
        this.#instance = data.instance;
      }
      await this.#read();
    } else if (kind === 'dropped') await this.#read();
    else if (kind === 'exchanges') this.#addLive(data);
    else if (kind === 'change' && data.parts.includes('journal'))
      this.#forget(data.sandbox, data.parts.includes('sandbox'));
    else return;
    for (const listener of this.#listeners) listener();
  }

  async #read(): Promise<void> {
    try {
      this.#addHistory(await readJournals(this.#control, this.#next));
      this.#problem = undefined;
    } catch (error) {
      this.#problem = describeError(error);
    }
  }

  #addHistory(journals: readonly Journal[]): void {
    for (const { sandbox, hasBegunAnew } of journals) if (hasBegunAnew) this.#forget(sandbox, true);
    for (const { sandbox, exchanges } of journals) {
      const known = this.#next.get(sandbox);
      const [first] = exchanges;
      if (known !== undefined && first !== undefined) this.#missed += first.index - known;
    }
    this.#add(mergeByTime(journals.map(({ exchanges }) => exchanges)));
  }

  /**
   * The mock gathers exchanges before it sends them: what a journal had may come a second time.
   * A lower index with another time is of a sandbox that was forgotten and has begun again.
   */
  #addLive(exchanges: readonly Exchange[]): void {
    this.#add(exchanges.filter((exchange) => !this.#has(exchange)));
  }

  #has({ sandbox, index, at }: Exchange): boolean {
    if (index >= (this.#next.get(sandbox) ?? 0)) return false;
    return this.#requests.some(
      ({ exchange }) =>
        exchange.index === index && exchange.sandbox === sandbox && exchange.at === at,
    );
  }

  #add(exchanges: readonly Exchange[]): void {
    const added = exchanges.map((exchange) => {
      this.#next.set(exchange.sandbox, exchange.index + 1);
      this.#count += 1;
      return { number: this.#count, exchange };
    });
    const all = [...this.#requests, ...added];
    this.#requests = all.slice(-mostRequests);
    this.#leftOut += all.length - this.#requests.length;
  }

  #forget(sandbox: string, isNew: boolean): void {
    this.#requests = this.#requests.filter(({ exchange }) => exchange.sandbox !== sandbox);
    if (isNew) this.#next.delete(sandbox);
  }
}

interface Journal {
  readonly sandbox: string;
  readonly exchanges: readonly Exchange[];
  /** The sandbox has fewer requests than were known of it. */
  readonly hasBegunAnew: boolean;
}

/**
 * What the journals have from the next exchange on, of as many sandboxes as the log has room for:
 * `main` and those that were used last.
 */
async function readJournals(
  control: ControlClient,
  next: ReadonlyMap<string, number>,
): Promise<readonly Journal[]> {
  const [main, ...others] = await control.call('listSandboxes', {});
  const changed = [...(main === undefined ? [] : [main]), ...others.toReversed()].filter(
    ({ name, requests }) => requests !== (next.get(name) ?? 0),
  );
  const journals: Journal[] = [];
  const readOne = async ({ name: sandbox, requests }: (typeof changed)[number]): Promise<void> => {
    const from = next.get(sandbox) ?? 0;
    const hasBegunAnew = requests < from;
    const { exchanges } = await control.call('readJournal', {
      sandbox,
      ...(hasBegunAnew ? {} : { from }),
    });
    journals.push({ sandbox, exchanges, hasBegunAnew });
  };
  let room = mostRequests;
  for (let at = 0; at < changed.length && room > 0; at += mostReads) {
    await Promise.all(changed.slice(at, at + mostReads).map(readOne));
    room = mostRequests - journals.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  }
  return journals;
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
