import { type JsonValue, renderJson } from '../../../contract/index.ts';
import { EventReader, renderEvent } from './event-reader.ts';

/** What happens in a mock, as the hub takes it. */
export interface EventSource<Entry> {
  /** Tells of each entry and each event, until the function that it gives is called. */
  readonly watch: (listener: EventListener<Entry>) => () => void;
  readonly present: (entry: Entry) => JsonValue;
}

interface EventListener<Entry> {
  onEntry(entry: Entry): void;
  onEvent(name: string, data: JsonValue): void;
}

/** Milliseconds for which exchanges are gathered. */
const gathering = 100;

/** So many are sent without waiting for more. */
const mostGathered = 1000;

/** Tells clients what happens. While there is none, nothing is watched. */
export class EventHub<Entry> {
  readonly #source: EventSource<Entry>;
  readonly #readers = new Set<EventReader>();
  #gathered: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stop: (() => void) | undefined;

  constructor(source: EventSource<Entry>) {
    this.#source = source;
  }

  /** The events from now on, as server-sent events, until the signal is aborted. */
  open(signal: AbortSignal): AsyncIterable<string> {
    const reader = new EventReader();
    this.#readers.add(reader);
    // What it is given may never be read.
    signal.addEventListener('abort', () => this.#leave(reader), { once: true });
    this.#stop ??= this.#source.watch({
      onEntry: (entry) => this.#gather(entry),
      onEvent: (name, data) => this.emit(name, data),
    });
    return this.#follow(reader, signal);
  }

  /** Tells all clients, after what was gathered so far. */
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
    if (this.#readers.delete(reader) && this.#readers.size === 0) this.#end();
  }

  #gather(entry: Entry): void {
    this.#gathered.push(entry);
    if (this.#gathered.length >= mostGathered) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), gathering);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#gathered;
    if (entries.length === 0) return;
    this.#gathered = [];
    const data = renderJson(entries.map((entry) => this.#source.present(entry)));
    const text = renderEvent('exchanges', data);
    for (const reader of this.#readers) reader.pushExchanges(text, entries.length);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#gathered = [];
    this.#stop?.();
    this.#stop = undefined;
  }
}
