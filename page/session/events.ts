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

/** Events of a mock, and how its connection stands. */
export class EventConnection implements Events {
  readonly #listeners = new Set<Listener>();
  readonly #control: ControlClient;
  readonly #onState: (isOpen: boolean) => void;
  readonly #stopped = new AbortController();

  constructor(control: ControlClient, onState: (isOpen: boolean) => void) {
    this.#control = control;
    this.#onState = onState;
    void this.#run();
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
  }

  /** Connects again and again, at first soon and then every two seconds, until it is closed. */
  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    for (let pause = 100; !signal.aborted; pause = Math.min(2000, pause * 2)) {
      try {
        for await (const event of this.#control.events(signal)) {
          if (event.kind === 'hello') {
            this.#onState(true);
            pause = 100;
          }
          for (const listener of this.#listeners) listener(event);
        }
      } catch {
        // The mock is away, or the page closes; both are seen below.
      }
      if (signal.aborted) return;
      this.#onState(false);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

function isOf<Kind extends EventKind>(
  kind: Kind,
  event: ControlEvent,
): event is ControlEvent & { readonly data: ControlEventData[Kind] } {
  return event.kind === kind;
}
