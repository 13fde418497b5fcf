import {
  type ControlClient,
  type ControlEvent,
  type ControlEventData,
} from '../../mock/control/client.ts';

export type EventKind = keyof ControlEventData;

/** What happens in the mock. Listeners stay while the connection is lost and found again. */
export interface Events {
  /** Calls back until the function that it gives is called. */
  on<Kind extends EventKind>(
    kind: Kind,
    listener: (data: ControlEventData[Kind]) => void,
  ): () => void;
}

type Listener = (event: ControlEvent) => void;

/** What the pages of a mock tell each other. `to`: the page that asked. */
type Word =
  | { readonly kind: 'event'; readonly event: ControlEvent; readonly to?: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'asked'; readonly by: string };

/**
 * Events of a mock, and whether its connection is open. A browser opens six connections to an origin at
 * once: its pages share one stream, read by the page that has the lock. Where the browser has no
 * locks (outside secure contexts) each page reads its own.
 */
export class EventConnection implements Events {
  readonly #listeners = new Set<Listener>();
  readonly #control: ControlClient;
  readonly #onState: (isOpen: boolean) => void;
  readonly #stopped = new AbortController();
  #channel: BroadcastChannel | undefined;
  /** The first event of the stream, for other pages; undefined where this page does not read it. */
  #hello: ControlEvent | undefined;

  /** `name`: the pages that share a stream have the same. */
  constructor(control: ControlClient, name: string, onState: (isOpen: boolean) => void) {
    this.#control = control;
    this.#onState = onState;
    if (isSecureContext) void this.#share(name);
    else void this.#run();
  }

  on<Kind extends EventKind>(
    kind: Kind,
    listener: (data: ControlEventData[Kind]) => void,
  ): () => void {
    const call: Listener = (event) => {
      if (isOf(kind, event)) listener(event.data);
    };
    this.#listeners.add(call);
    return () => void this.#listeners.delete(call);
  }

  close(): void {
    this.#stopped.abort();
    this.#channel?.close();
  }

  /** Hears what another page reads, until this one is the first in line to read it. */
  async #share(name: string): Promise<void> {
    const { signal } = this.#stopped;
    const own = crypto.randomUUID();
    const channel = new BroadcastChannel(name);
    this.#channel = channel;
    channel.addEventListener('message', ({ data: word }: MessageEvent<Word>) => {
      if (word.kind === 'asked') this.#answer(word.by);
      else if (word.kind === 'closed' || (word.to ?? own) === own) this.#hear(word);
    });
    this.#post({ kind: 'asked', by: own });
    await navigator.locks
      .request(name, { signal }, async () => await this.#run())
      .catch(() => undefined);
  }

  #answer(to: string): void {
    if (this.#hello !== undefined) this.#post({ kind: 'event', event: this.#hello, to });
  }

  /** Connects again and again, at first soon and then every two seconds, until it is closed. */
  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    for (let pause = 100; !signal.aborted; pause = Math.min(2000, pause * 2)) {
      try {
        for await (const event of this.#control.events(signal)) {
          if (event.kind === 'hello') [this.#hello, pause] = [event, 100];
          this.#tell({ kind: 'event', event });
        }
      } catch {
        // The mock is away, or the page closes; both are seen below.
      }
      this.#hello = undefined;
      if (signal.aborted) return;
      this.#tell({ kind: 'closed' });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  #tell(word: Exclude<Word, { readonly kind: 'asked' }>): void {
    this.#post(word);
    this.#hear(word);
  }

  #post(word: Word): void {
    this.#channel?.postMessage(word);
  }

  #hear(word: Exclude<Word, { readonly kind: 'asked' }>): void {
    if (word.kind === 'closed') {
      this.#onState(false);
      return;
    }
    if (word.event.kind === 'hello') this.#onState(true);
    for (const listener of this.#listeners) listener(word.event);
  }
}

function isOf<Kind extends EventKind>(
  kind: Kind,
  event: ControlEvent,
): event is ControlEvent & { readonly data: ControlEventData[Kind] } {
  return event.kind === kind;
}
