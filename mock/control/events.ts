import { type JsonObject, type JsonValue, renderJson } from '../../contract/json/value.ts';
import type { Control } from './control.ts';

/** Sends events to clients. Without clients, it watches nothing. */
export class EventHub {
  readonly #control: Control;
  readonly #readers = new Set<EventReader>();
  #stop: (() => void) | undefined;

  constructor(control: Control) {
    this.#control = control;
  }

  /** The events from now on, as server-sent events, until the signal is aborted. */
  open(signal: AbortSignal): AsyncIterable<string> {
    const reader = new EventReader();
    this.#readers.add(reader);
    // The returned iterable may never be read.
    signal.addEventListener('abort', () => this.#leave(reader), { once: true });
    this.#stop ??= this.#control.watch({
      onEntry: (entry) => this.#push(this.#control.presenter(entry)),
      onChange: (sandbox, parts) => this.emit('change', { sandbox, parts }),
      onReload: ({ source }) => this.emit('reload', { source }),
    });
    return this.#follow(reader, signal);
  }

  /** Sends an event to all clients, after the exchanges so far. */
  emit(name: string, data: JsonValue): void {
    if (this.#readers.size > 0) this.#push(renderEvent(name, renderJson(data)));
  }

  #push(event: string | (() => JsonObject)): void {
    for (const reader of this.#readers) reader.push(event);
  }

  async *#follow(reader: EventReader, signal: AbortSignal): AsyncGenerator<string, void> {
    try {
      yield* reader.read(signal);
    } finally {
      this.#leave(reader);
    }
  }

  #leave(reader: EventReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}

/** Milliseconds for which exchanges are collected before they are sent together. */
const pause = 100;

/** Milliseconds after which a comment is sent if nothing happens. */
const heartbeat = 15_000;

/** If more events are queued for a slow client, exchanges are left out. */
const maxWaiting = 5000;

/** The queue of one client, which is bounded if the client is slow. */
export class EventReader {
  /** Events as texts, and between them lists of exchanges, which are rendered when they are sent. */
  #queue: (string | (() => JsonObject)[])[] = [];
  #length = 0;
  #dropped = 0;
  #wake: (() => void) | undefined;

  /** Adds the text of an event, or an exchange. */
  push(event: string | (() => JsonObject)): void {
    if (this.#queue.length > maxWaiting) return;
    const last = this.#queue.at(-1);
    if (typeof event === 'string') this.#queue.push(event);
    else if (this.#length >= maxWaiting) this.#dropped += 1;
    else if (typeof last === 'object') last.push(event);
    else this.#queue.push([event]);
    this.#length += 1;
    if (typeof event === 'string' || this.#length === 1) this.#wake?.();
  }

  /**
   * Yields the texts to send until the signal is aborted. A client that is far behind is disconnected: it
   * reconnects and loads the current state.
   */
  async *read(signal: AbortSignal): AsyncGenerator<string, void> {
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
    while (!signal.aborted) {
      if (this.#length === 0) await this.#change(heartbeat);
      // Only exchanges wait for more of their kind.
      if (this.#queue.length === 1 && typeof this.#queue[0] === 'object') await this.#change(pause);
      if (signal.aborted || this.#queue.length > maxWaiting) return;
      const texts = this.#queue.map((one) =>
        typeof one === 'string'
          ? one
          : renderEvent('exchanges', renderJson(one.map((present) => present()))),
      );
      if (this.#dropped > 0) texts.push(renderEvent('dropped', `{"count":${this.#dropped}}`));
      [this.#queue, this.#length, this.#dropped] = [[], 0, 0];
      yield texts.join('') || ':\n\n';
    }
  }

  async #change(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }
}

/** A server-sent event (HTML standard) whose data has no line breaks. */
export function renderEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
