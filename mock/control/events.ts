import { type JsonObject, type JsonValue, renderJson } from '../../contract/json/value.ts';
import type { JournalEntry } from '../sandbox/journal-entry.ts';
import type { MockWatcher } from '../served-document/served-document.ts';

/** The source of events. */
interface EventSource {
  /** Reports what happens in a mock, until the returned function is called. */
  watch(watcher: MockWatcher): () => void;
  /** Returns a function that renders an entry, with its sandbox as it is now. */
  presenter(entry: JournalEntry): () => JsonObject;
}

/** Milliseconds for which exchanges are collected before they are sent together. */
const pause = 100;

/** This many exchanges are sent at once. */
const mostCollected = 1000;

/** Sends events to clients. Without clients, it watches nothing. */
export class EventHub {
  readonly #source: EventSource;
  readonly #readers = new Set<EventReader>();
  #collected: (() => JsonObject)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stop: (() => void) | undefined;

  constructor(source: EventSource) {
    this.#source = source;
  }

  /** The events from now on, as server-sent events, until the signal is aborted. */
  open(signal: AbortSignal): AsyncIterable<string> {
    const reader = new EventReader();
    this.#readers.add(reader);
    // The returned iterable may never be read.
    signal.addEventListener('abort', () => this.#leave(reader), { once: true });
    this.#stop ??= this.#source.watch({
      onEntry: (entry) => this.#collect(this.#source.presenter(entry)),
      onChange: (sandbox, parts) => this.emit('change', { sandbox, parts }),
      onReload: ({ source }) => this.emit('reload', { source }),
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

  #collect(entry: () => JsonObject): void {
    this.#collected.push(entry);
    if (this.#collected.length >= mostCollected) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), pause);
  }

  #flush(): void {
    const entries = this.#take();
    if (entries.length === 0) return;
    const text = renderEvent('exchanges', renderJson(entries.map((present) => present())));
    for (const reader of this.#readers) reader.push(text, entries.length);
  }

  #take(): readonly (() => JsonObject)[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#collected;
    this.#collected = [];
    return entries;
  }
}

/** If more characters are queued for a slow client, exchanges are left out. */
const mostWaiting = 4_194_304;

/** Milliseconds after which a comment is sent if nothing happens. */
const heartbeat = 15_000;

/** The queue of one client, which is bounded if the client is slow. */
export class EventReader {
  #texts: string[] = [];
  #length = 0;
  #dropped = 0;
  #wake: (() => void) | undefined;

  /**
   * If much is queued, exchanges are left out. A client that is even further behind is disconnected: it
   * reconnects and loads the current state. `exchanges`: their number in the text.
   */
  push(text: string, exchanges = 0): void {
    if (this.#length > mostWaiting && exchanges > 0) this.#dropped += exchanges;
    else if (this.#length > 2 * mostWaiting) this.#texts = [];
    else {
      this.#texts.push(text);
      this.#length += text.length;
    }
    this.#wake?.();
  }

  /** Yields the texts to send until the signal is aborted. */
  async *read(signal: AbortSignal): AsyncGenerator<string, void> {
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
    while (!signal.aborted) {
      if (this.#length === 0) await this.#change();
      const text = this.#texts.join('');
      if (signal.aborted || (text === '' && this.#length > 0)) return;
      const dropped = this.#dropped;
      [this.#texts, this.#length, this.#dropped] = [[], 0, 0];
      if (dropped > 0) yield text + renderEvent('dropped', JSON.stringify({ count: dropped }));
      else yield text === '' ? ':\n\n' : text;
    }
  }

  async #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, heartbeat);
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
