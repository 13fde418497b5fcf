import type { ControlClient } from '../../mock/control/client.ts';
import type { EventConnection } from './events.ts';
import type { Exchange } from './types.ts';
import { describeError } from './describe-error.ts';

/** A request in the log, with a number that no other has while the page is open. */
export interface LoggedRequest {
  readonly number: number;
  readonly exchange: Exchange;
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
  /** What happened while journals are read; undefined while none is. */
  #waiting: (() => void)[] | undefined;
  #mustReadAgain = false;

  constructor(control: ControlClient, events: Pick<EventConnection, 'subscribe'>) {
    this.#control = control;
    events.subscribe(({ kind, data }) => {
      if (kind === 'hello') this.#begin(data.instance);
      else if (kind === 'exchanges') this.#take(() => this.#addLive(data));
      else if (kind === 'dropped') void this.#read();
      else if (kind === 'change' && data.parts.includes('journal'))
        this.#take(() => this.#forget(data.sandbox, data.parts.includes('sandbox')));
    });
  }

  /** Oldest first, at most `mostRequests`. The array is another after each change. */
  get requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  /** Number of requests that made room for later ones. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Number of requests that came while the page was not connected and that no journal has. */
  get missed(): number {
    return this.#missed;
  }

  /** Number of the last request; 0 before the first. */
  get lastNumber(): number {
    return this.#count;
  }

  /** Why the journals could not be read; undefined where they were. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Calls back after each change, until the function that it gives is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Another instance has other journals: nothing of what was known is in them. */
  #begin(instance: string): void {
    if (instance !== this.#instance) {
      this.#requests = [];
      this.#next = new Map();
      this.#leftOut = 0;
      this.#missed = 0;
      this.#waiting = undefined;
      this.#instance = instance;
    }
    void this.#read();
  }

  /** Does something now, or after the journals are read. */
  #take(action: () => void): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(action);
      return;
    }
    action();
    this.#tell();
  }

  async #read(): Promise<void> {
    if (this.#waiting !== undefined) {
      this.#mustReadAgain = true;
      return;
    }
    const waiting: (() => void)[] = [];
    this.#waiting = waiting;
    do {
      this.#mustReadAgain = false;
      try {
        const journals = await readJournals(this.#control, this.#next);
        if (this.#waiting !== waiting) return;
        this.#addHistory(journals);
        this.#problem = undefined;
      } catch (error) {
        if (this.#waiting !== waiting) return;
        this.#problem = describeError(error);
      }
    } while (this.#mustReadAgain);
    for (const action of waiting) action();
    this.#waiting = undefined;
    this.#tell();
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

  #tell(): void {
    for (const listener of this.#listeners) listener();
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
