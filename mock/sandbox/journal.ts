import { measureHeaders } from '../http/message.ts';
import type { EntryDetail, Exchange, JournalEntry } from './journal-entry.ts';

/** An exchange in a journal, with its memory. */
interface Kept extends Exchange {
  readonly bytes: number;
}

/** The last requests of a sandbox; older ones are dropped. */
export class Journal {
  readonly #size: number;
  readonly #free: () => void;
  /** Oldest first, with one index after the other; may exceed the size by a few. */
  #kept: Kept[] = [];
  /**
   * Number of entries since the sandbox began, including dropped ones: the index of the next entry.
   */
  count = 0;
  /** Estimated memory. */
  bytes = 0;

  /** `size`: maximum number of entries, at least 1; `free`: frees memory of all journals if needed. */
  constructor(size: number, free: () => void) {
    this.#size = size;
    this.#free = free;
  }

  add(entry: JournalEntry, detail: EntryDetail): void {
    const bytes = exchangeBytes(entry, detail);
    this.#kept.push({ entry, detail, bytes });
    this.bytes += bytes;
    this.count += 1;
    // Dropped in batches, because each time all remaining entries are moved.
    const surplus = this.#kept.length - this.#size;
    if (surplus > this.#size / 8) this.#forget(surplus);
    this.#free();
  }

  /** Drops the older half, at least one entry. */
  forgetHalf(): void {
    this.#forget(Math.max(1, Math.floor(this.#kept.length / 2)));
  }

  #forget(count: number): void {
    for (const { bytes } of this.#kept.splice(0, count)) this.bytes -= bytes;
  }

  /** Replaces the exchanges, oldest first, and the index of the next one. */
  restore(exchanges: readonly Exchange[], count: number): void {
    this.clear();
    for (const { entry, detail } of exchanges) this.add(entry, detail);
    this.count = count;
  }

  /** The kept exchanges, oldest first. */
  get exchanges(): readonly Exchange[] {
    return this.#kept.slice(-this.#size);
  }

  /** The entries of `exchanges`. */
  get entries(): readonly JournalEntry[] {
    return this.exchanges.map(({ entry }) => entry);
  }

  /** The exchange with an index; undefined if it was dropped. */
  exchangeAt(index: number): Exchange | undefined {
    const at = this.#kept.length - this.count + index;
    return at < this.#kept.length - this.#size ? undefined : this.#kept[at];
  }

  /** Drops all entries. Indexes continue. */
  clear(): void {
    this.#kept = [];
    this.bytes = 0;
  }
}

/** Estimated bytes of an entry besides its texts. */
const plainBytes = 1024;

function exchangeBytes(entry: JournalEntry, { requestHeaders, response }: EntryDetail): number {
  const { target, content, refusal, clues } = entry;
  const { headers } = response;
  let characters = measureHeaders(requestHeaders) + target.length + response.body.length;
  characters += (refusal?.message.length ?? 0) + (clues?.prefer?.length ?? 0);
  // Header names are shared between responses.
  for (let at = 1; at < headers.length; at += 2) characters += headers[at]?.length ?? 0;
  return plainBytes + characters + (content?.buffer.byteLength ?? 0);
}

/** Bytes of the journals of all sandboxes. */
export const mostJournals = 64 * 1024 * 1024;

/** The share that is kept when memory is freed, so that this happens rarely. */
const share = 0.9;

/**
 * Limits the memory of all journals of a mock. Over the limit, the largest journal drops its older half,
 * so that clients with few requests keep theirs.
 */
export function freeJournals(journals: readonly Journal[], most = mostJournals): void {
  const sum = (): number => journals.reduce((total, { bytes }) => total + bytes, 0);
  if (sum() <= most) return;
  while (sum() > most * share) {
    const [largest] = journals.toSorted((one, other) => other.bytes - one.bytes);
    largest?.forgetHalf();
  }
}
