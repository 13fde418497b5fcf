import { measureHeaders } from '../http/message.ts';
import type { EntryDetail, Exchange, JournalEntry } from './journal-entry.ts';
import type { JournalMemory } from './memory/journal-memory.ts';

/** An exchange in a journal, and what it costs in memory. */
interface Kept extends Exchange {
  readonly bytes: number;
}

/** The last requests of a sandbox; older ones are forgotten. */
export class Journal {
  readonly #size: number;
  /** Undefined once its sandbox is forgotten. */
  #memory: JournalMemory | undefined;
  /** By the index since it was cleared last, modulo the size. */
  #ring: (Kept | undefined)[] = [];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  #count = 0;
  #cleared = 0;
  /** Entries before this index were forgotten for want of memory. */
  #forgotten = 0;
  #bytes = 0;
  /** Listeners are told by `tell` alone: where state is durable, once the entry is stored. */
  isQuiet = false;

  /** `size`: how many entries are kept, from 1; `memory`: what all journals of a mock keep. */
  constructor(size: number, memory: JournalMemory) {
    this.#size = size;
    this.#memory = memory;
  }

  /** Entries since the sandbox began, forgotten ones included: the index of the next. */
  get count(): number {
    return this.#count;
  }

  /** What is kept costs so much memory, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Someone waits for entries. */
  get isAwaited(): boolean {
    return this.#listeners.size > 0;
  }

  /** `headersLength`: characters of the request's headers, where they are counted already. */
  add(
    entry: JournalEntry,
    detail: EntryDetail,
    headersLength = measureHeaders(detail.requestHeaders),
  ): void {
    const index = this.#count;
    this.#count += 1;
    this.#put(index, { entry, detail, bytes: headersLength + exchangeBytes(entry, detail) });
    if (!this.isQuiet) this.tell(entry);
  }

  tell(entry: JournalEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }

  /** Where the entry of an index is. */
  #placeOf(index: number): number {
    return (index - this.#cleared) % this.#size;
  }

  #put(index: number, exchange: Kept | undefined): void {
    const place = this.#placeOf(index);
    const before = this.#ring[place]?.bytes ?? 0;
    this.#ring[place] = exchange;
    this.#grow((exchange?.bytes ?? 0) - before);
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    this.#memory?.change(this, bytes);
  }

  /** Those that are kept of the entries with indexes from one up to another. */
  #from(first: number, end: number): readonly Kept[] {
    const kept: Kept[] = [];
    for (let index = Math.max(first, this.#oldest); index < end; index += 1) {
      const one = this.#ring[this.#placeOf(index)];
      if (one !== undefined) kept.push(one);
    }
    return kept;
  }

  /** The index of the oldest entry that may be kept. */
  get #oldest(): number {
    return Math.max(this.#cleared, this.#forgotten, this.#count - this.#size);
  }

  /** Forgets the older half of what is kept, one entry at least. */
  forgetHalf(): void {
    const first = this.#oldest;
    const end = first + Math.max(1, Math.floor((this.#count - first) / 2));
    for (let index = first; index < end; index += 1) this.#put(index, undefined);
    this.#forgotten = end;
  }

  /** Forgets all entries; the index of the next is this. */
  restart(count: number): void {
    this.#count = count;
    this.#forgotten = 0;
    this.clear();
  }

  /** What is kept, oldest first. */
  get exchanges(): readonly Exchange[] {
    return this.#from(0, this.#count);
  }

  /** The entries of `exchanges`. */
  get entries(): readonly JournalEntry[] {
    return this.exchanges.map(({ entry }) => entry);
  }

  /** What is kept beside the entry of an index; undefined where that is forgotten. */
  detailOf(index: number): EntryDetail | undefined {
    return this.#ring.find((one) => one?.entry.index === index)?.detail;
  }

  /** Forgets all entries. Indexes go on. */
  clear(): void {
    this.#ring = [];
    this.#cleared = this.#count;
    this.#grow(-this.#bytes);
  }

  /** It is no longer counted among those of the mock. */
  leave(): void {
    this.#memory?.leave(this);
    this.#memory = undefined;
  }

  /** Calls back with each entry from now on, until the function that it gives is called. */
  listen(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** What an entry costs besides its texts. */
const plainBytes = 1024;

/** What an exchange costs in memory besides the headers of the request, about. */
function exchangeBytes(entry: JournalEntry, { response }: EntryDetail): number {
  const { target, content, refusal, clues } = entry;
  const { headers } = response;
  let characters = target.length + response.body.length + (refusal?.message.length ?? 0);
  // Names are the same texts in all responses.
  for (let at = 1; at < headers.length; at += 2) characters += headers[at]?.length ?? 0;
  if (clues !== undefined) characters += clues.prefer?.length ?? 0;
  return plainBytes + characters + (content?.buffer.byteLength ?? 0);
}
