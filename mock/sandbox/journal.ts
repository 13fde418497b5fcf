import { measureHeaders } from '../http/message.ts';
import type { EntryDetail, Exchange, JournalEntry } from './journal-entry.ts';

/** An exchange in a journal, and what it costs in memory. */
interface Kept extends Exchange {
  readonly bytes: number;
}

/** The last requests of a sandbox; older ones are forgotten. */
export class Journal {
  readonly #size: number;
  /** Undefined once its sandbox is forgotten. */
  #memory: JournalMemory | undefined;
  /** Oldest first; a few more than the size. */
  #kept: Kept[] = [];
  /** Entries since the sandbox began, forgotten ones included: the index of the next. */
  count = 0;
  /** What is kept costs so much memory, about. */
  bytes = 0;

  /** `size`: how many entries are kept, from 1; `memory`: what all journals of a mock keep. */
  constructor(size: number, memory: JournalMemory) {
    this.#size = size;
    this.#memory = memory;
  }

  /** `headersLength`: characters of the request's headers, where they are counted already. */
  add(
    entry: JournalEntry,
    detail: EntryDetail,
    headersLength = measureHeaders(detail.requestHeaders),
  ): void {
    this.count += 1;
    const bytes = headersLength + exchangeBytes(entry, detail);
    this.#kept.push({ entry, detail, bytes });
    this.bytes += bytes;
    this.#memory?.hold(this);
    // Several at once: each time, all that stay are moved.
    const surplus = this.#kept.length - this.#size;
    if (surplus > this.#size / 8) this.#forget(surplus);
  }

  /** Forgets the older half of what is kept, one entry at least. */
  forgetHalf(): void {
    this.#forget(Math.max(1, Math.floor(this.#kept.length / 2)));
  }

  #forget(count: number): void {
    const forgotten = this.#kept.splice(0, count);
    for (const { bytes } of forgotten) this.bytes -= bytes;
  }

  /** Forgets all entries; the index of the next is this. */
  restart(count: number): void {
    this.count = count;
    this.clear();
  }

  /** What is kept, oldest first. */
  get exchanges(): readonly Exchange[] {
    return this.#kept.slice(-this.#size);
  }

  /** The entries of `exchanges`. */
  get entries(): readonly JournalEntry[] {
    return this.exchanges.map(({ entry }) => entry);
  }

  /** The exchange of an index; undefined if it is no longer kept. */
  exchangeAt(index: number): Exchange | undefined {
    return this.exchanges.find(({ entry }) => entry.index === index);
  }

  /** Forgets all entries. Indexes go on. */
  clear(): void {
    this.#kept = [];
    this.bytes = 0;
  }

  /** It is no longer counted among those of the mock. */
  leave(): void {
    this.#memory?.drop(this);
    this.#memory = undefined;
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

/** Bytes of the journals of all sandboxes. */
export const mostJournals = 64 * 1024 * 1024;

/** When there is too much, so much of it is left: what makes room is then done seldom. */
const share = 0.9;

/**
 * What the journals of all sandboxes keep. Where that is too much, the largest journal forgets its
 * older half, so that who sends few requests keeps them all, whatever others send.
 */
export class JournalMemory {
  readonly #most: number;
  readonly #journals = new Set<Journal>();

  /** `most`: bytes. */
  constructor(most: number = mostJournals) {
    this.#most = most;
  }

  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#journals) sum += bytes;
    return sum;
  }

  /** A journal has grown; what is too much is forgotten. */
  hold(journal: Journal): void {
    this.#journals.add(journal);
    if (this.bytes <= this.#most) return;
    while (this.bytes > this.#most * share) {
      const [largest] = [...this.#journals].toSorted((one, other) => other.bytes - one.bytes);
      largest?.forgetHalf();
    }
  }

  /** The sandbox of a journal is forgotten. */
  drop(journal: Journal): void {
    this.#journals.delete(journal);
  }
}
