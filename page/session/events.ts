import type { ControlClient, ControlEvent } from '../../mock/control/client.ts';

type Listener = (event: ControlEvent) => void;

/** The messages between the pages of a mock. `asked` requests the first event of the stream again. */
type Post = ControlEvent | { readonly kind: 'closed' } | { readonly kind: 'asked' };

/**
 * The events of a mock, and whether its connection is open. Listeners stay while the connection is lost and
 * restored. A browser opens only six connections to an origin, so its pages share one stream, read by the
 * page that holds a lock. Without locks (outside of secure contexts) each page reads its own.
 */
export class EventConnection {
  readonly #listeners = new Set<Listener>();
  readonly #control: ControlClient;
  readonly #onState: (isOpen: boolean) => void;
  readonly #stopped = new AbortController();
  #channel: BroadcastChannel | undefined;
  /** The first event of the stream, for other pages; undefined if this page does not read it. */
  #hello: ControlEvent | undefined;

  /** `name`: the same for pages that share a stream. */
  constructor(control: ControlClient, name: string, onState: (isOpen: boolean) => void) {
    this.#control = control;
    this.#onState = onState;
    if (isSecureContext) void this.#share(name);
    else void this.#run();
  }

  /** Calls back until the function that it returns is called. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#stopped.abort();
    this.#channel?.close();
  }

  /** Receives the events that another page reads, until this page gets the lock. */
  async #share(name: string): Promise<void> {
    const channel = new BroadcastChannel(name);
    this.#channel = channel;
    channel.addEventListener('message', ({ data: post }: MessageEvent<Post>) => {
      if (post.kind !== 'asked') this.#hear(post);
      else if (this.#hello !== undefined) this.#post(this.#hello);
    });
    this.#post({ kind: 'asked' });
    const { signal } = this.#stopped;
    await navigator.locks.request(name, { signal }, () => this.#run()).catch(() => undefined);
  }

  /** Reconnects until it is closed: at first quickly, then every two seconds. */
  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    for (let pause = 100; !signal.aborted; pause = Math.min(2000, pause * 2)) {
      try {
        for await (const event of this.#control.events(signal)) {
          if (event.kind === 'hello') [this.#hello, pause] = [event, 100];
          this.#publish(event);
        }
      } catch {
        // The mock is unreachable, or the page closes; both are handled below.
      }
      this.#hello = undefined;
      if (signal.aborted) return;
      this.#publish({ kind: 'closed' });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  #publish(post: Post): void {
    this.#post(post);
    this.#hear(post);
  }

  #post(post: Post): void {
    this.#channel?.postMessage(post);
  }

  #hear(post: Post): void {
    if (post.kind === 'closed' || post.kind === 'hello') this.#onState(post.kind === 'hello');
    if (post.kind === 'closed' || post.kind === 'asked') return;
    for (const listener of this.#listeners) listener(post);
  }
}
