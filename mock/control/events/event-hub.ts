import { type JsonValue, renderJson } from '../../../contract/json/value.ts';
import { EventReader, renderEvent } from './event-reader.ts';

/** What happens in a mock. */
export interface EventSource<Entry> {
  /** Reports each entry and each event, until the returned function is called. */
  readonly watch: (listener: EventListener<Entry>) => () => void;
  readonly present: (entry: Entry) => JsonValue;
}

interface EventListener<Entry> {
  onEntry(entry: Entry): void;
  onEvent(name: string, data: JsonValue): void;
}

/** Milliseconds during which exchanges are collected, before they are sent together. */
const pause = 100;

/** As soon as there are so many, they are sent. */
const mostCollected = 1000;

/** Sends clients what happens. Without clients, it watches nothing. */
export class EventHub<Entry> {
  readonly #source: EventSource<Entry>;
  readonly #readers = new Set<EventReader>();
  #collected: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stop: (() => void) | undefined;

  constructor(source: EventSource<Entry>) {
    this.#source = source;
  }

  /** The events from now on, as server-sent events, until the signal is aborted. */
  open(signal: AbortSignal): AsyncIterable<string> {
    const reader = new EventReader();
    this.#readers.add(reader);
    // What is returned may never be read.
    signal.addEventListener('abort', () => this.#leave(reader), { once: true });
    this.#stop ??= this.#source.watch({
      onEntry: (entry) => this.#collect(entry),
      onEvent: (name, data) => this.emit(name, data),
    });
    return this.#follow(reader, signal);
  }

  /** Sends an event to all clients, after the exchanges so far. */
  emit(name: string, data: JsonValue): void {
    if (this.#readers.size === 0) return;
    this.#flush();
    const text = renderEvent(name, renderJson(data));
    for (const reader of this.#readers) reader.push(text);
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
    this.#take();
    this.#stop?.();
    this.#stop = undefined;
  }

  #collect(entry: Entry): void {
    this.#collected.push(entry);
    if (this.#collected.length >= mostCollected) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), pause);
  }

  #flush(): void {
    const entries = this.#take();
    if (entries.length === 0) return;
    const data = renderJson(entries.map((entry) => this.#source.present(entry)));
    const text = renderEvent('exchanges', data);
    for (const reader of this.#readers) reader.pushExchanges(text, entries.length);
  }

  #take(): readonly Entry[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#collected;
    this.#collected = [];
    return entries;
  }
}
