import { readEventStream } from './event-stream.ts';
import type { Exchange, Run } from './types.ts';

/** What the mock tells while the page is open, by kind; see `streamEvents` of the control document. */
export interface EventData {
  readonly hello: { readonly instance: string };
  readonly exchanges: readonly Exchange[];
  readonly dropped: { readonly count: number };
  readonly change: { readonly sandbox: string; readonly parts: readonly string[] };
  readonly reload: { readonly source: string };
  readonly run: Run;
}

export type EventKind = keyof EventData;

/** What happens in the mock. Listeners stay while the connection is lost and found again. */
export interface Events {
  /** Calls back until the function that it gives is called. */
  on<Kind extends EventKind>(kind: Kind, listener: (data: EventData[Kind]) => void): () => void;
}

type Listeners = { readonly [Kind in EventKind]: Set<(data: EventData[Kind]) => void> };

/** Events of a mock, and how its connection stands. */
export class EventConnection implements Events {
  readonly #listeners: Listeners = {
    hello: new Set(),
    exchanges: new Set(),
    dropped: new Set(),
    change: new Set(),
    reload: new Set(),
    run: new Set(),
  };
  readonly #token: string | undefined;
  readonly #onState: (isOpen: boolean) => void;
  readonly #stopped = new AbortController();

  constructor(token: string | undefined, onState: (isOpen: boolean) => void) {
    this.#token = token;
    this.#onState = onState;
    void this.#run();
  }

  on<Kind extends EventKind>(kind: Kind, listener: (data: EventData[Kind]) => void): () => void {
    const listeners: Set<typeof listener> = this.#listeners[kind];
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  close(): void {
    this.#stopped.abort();
  }

  /** Connects again and again, at first soon and then every two seconds, until it is closed. */
  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    for (let pause = 100; !signal.aborted; pause = Math.min(2000, pause * 2)) {
      try {
        const headers: Record<string, string> =
          this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
        const response = await fetch('/_mock/events', { headers, signal });
        if (response.ok && response.body !== null) {
          this.#onState(true);
          pause = 100;
          for await (const { kind, data } of readEventStream(response.body)) this.#tell(kind, data);
        }
      } catch {
        // The mock is away, or the page closes; both are seen below.
      }
      if (signal.aborted) return;
      this.#onState(false);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  #tell(kind: string, text: string): void {
    if (!isKind(kind, this.#listeners)) return;
    const data = JSON.parse(text);
    for (const listener of this.#listeners[kind]) listener(data);
  }
}

function isKind(kind: string, listeners: Listeners): kind is EventKind {
  return Object.hasOwn(listeners, kind);
}
