import type { EntryDetail, JournalEntry } from './journal-entry.ts';

/** What a journal was, before an entry more. */
export interface JournalMark {
  readonly count: number;
  readonly cleared: number;
  /** What the next entry takes the place of; undefined for nothing. */
  readonly oldest: Exchange | undefined;
}

/** An entry and what is kept beside it. */
export interface Exchange {
  readonly entry: JournalEntry;
  readonly detail: EntryDetail;
}

/** The last requests of a sandbox; older ones are forgotten. */
export class Journal {
  readonly #size: number;
  #ring: JournalEntry[] = [];
  /** At the same places. */
  #details: EntryDetail[] = [];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  #count = 0;
  #cleared = 0;
  /** Entries are shown once they are told, since they may be taken back. */
  isQuiet = false;
  /** So many of the last are not told yet. */
  #untold = 0;

  /** `size`: how many entries are kept, from 1. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Entries since the sandbox began, forgotten ones included: the index of the next. */
  get count(): number {
    return this.#count;
  }

  /** The index of the next entry that is shown. */
  get shown(): number {
    return this.#count - this.#untold;
  }

  /** Someone waits for entries. */
  get isAwaited(): boolean {
    return this.#listeners.size > 0;
  }

  add(entry: JournalEntry, detail: EntryDetail): void {
    const at = this.#next;
    this.#ring[at] = entry;
    this.#details[at] = detail;
    this.#count += 1;
    if (this.isQuiet) this.#untold += 1;
    else this.#tell(entry);
  }

  /** Shows the oldest entry that is not shown yet. */
  tell(entry: JournalEntry): void {
    this.#untold = Math.max(0, this.#untold - 1);
    this.#tell(entry);
  }

  /** Shows all entries, and tells nobody. */
  show(): void {
    this.#untold = 0;
  }

  #tell(entry: JournalEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }

  get #next(): number {
    return (this.#count - this.#cleared) % this.#size;
  }

  /** The journal as it is, for telling what has come since, or taking the next entry back. */
  mark(): JournalMark {
    const [entry, detail] = [this.#ring[this.#next], this.#details[this.#next]];
    const oldest = entry === undefined || detail === undefined ? undefined : { entry, detail };
    return { count: this.#count, cleared: this.#cleared, oldest };
  }

  /** Takes back the one entry that has come since; later ones are taken back before. */
  undo({ count, oldest }: JournalMark): void {
    if (this.#count === count) return;
    this.#count = count;
    this.#untold = Math.max(0, this.#untold - 1);
    const at = this.#next;
    if (oldest === undefined) {
      this.#ring.length = at;
      this.#details.length = at;
    } else {
      this.#ring[at] = oldest.entry;
      this.#details[at] = oldest.detail;
    }
  }

  /** What has come since, as far as it is kept; all that is kept where it was cleared since. */
  since({ count, cleared }: Pick<JournalMark, 'count' | 'cleared'>): readonly Exchange[] {
    const from = cleared === this.#cleared ? count : this.#cleared;
    const kept = Math.min(this.#count - from, this.#ring.length);
    return Array.from({ length: kept }, (_, index) => {
      const at = (this.#count - this.#cleared - kept + index) % this.#size;
      const [entry, detail] = [this.#ring[at], this.#details[at]];
      return entry === undefined || detail === undefined ? [] : [{ entry, detail }];
    }).flat();
  }

  /** Forgets all entries; the index of the next is this. */
  restart(count: number): void {
    this.#count = count;
    this.clear();
  }

  /** The index of the next entry after it was cleared last. */
  get cleared(): number {
    return this.#cleared;
  }

  /** Exchanges that are kept, oldest first. */
  get entries(): readonly JournalEntry[] {
    const oldest = Math.max(0, this.#count - this.#cleared - this.#size) % this.#size;
    const all = [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
    return this.#untold === 0 ? all : all.slice(0, -this.#untold);
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
    this.#untold = 0;
  }

  /** Calls back with each entry from now on, until the function that it gives is called. */
  listen(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
