import type { EntryDetail, JournalEntry } from './journal-entry.ts';

/** The last requests of a sandbox; older ones are forgotten. */
export class Journal {
  readonly #size: number;
  #ring: JournalEntry[] = [];
  /** At the same places. */
  #details: EntryDetail[] = [];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  #count = 0;
  #cleared = 0;

  /** `size`: how many entries are kept, from 1. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Entries since the sandbox began, forgotten ones included: the index of the next. */
  get count(): number {
    return this.#count;
  }

  /** Someone waits for entries. */
  get isAwaited(): boolean {
    return this.#listeners.size > 0;
  }

  add(entry: JournalEntry, detail: EntryDetail): void {
    const at = (this.#count - this.#cleared) % this.#size;
    this.#ring[at] = entry;
    this.#details[at] = detail;
    this.#count += 1;
    for (const listener of this.#listeners) listener(entry);
  }

  /** Exchanges that are kept, oldest first. */
  get entries(): readonly JournalEntry[] {
    const oldest = Math.max(0, this.#count - this.#cleared - this.#size) % this.#size;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
  }

  /** What is kept beside the entry of an index; undefined where that is forgotten. */
  detailOf(index: number): EntryDetail | undefined {
    return this.#details[this.#ring.findIndex((entry) => entry.index === index)];
  }

  /** Forgets all entries. Indexes go on. */
  clear(): void {
    this.#ring = [];
    this.#details = [];
    this.#cleared = this.#count;
  }

  /** Calls back with each entry from now on, until the function that it gives is called. */
  listen(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
