/** Bytes of the journals of all sandboxes. */
export const mostJournals = 64 * 1024 * 1024;

/** A journal, as what all of them keep is bounded. */
interface Kept {
  /** What its entries cost in memory. */
  readonly bytes: number;
  /** Forgets the older half of what it keeps, one entry at least. */
  forgetHalf(): void;
}

/** When there is too much, so much of it is left: what makes room is then done seldom. */
const share = 0.9;

/**
 * What the journals of all sandboxes keep. Where that is too much, the largest journal forgets its
 * older half, so that who sends few requests keeps them all, whatever others send.
 */
export class JournalMemory {
  readonly #most: number;
  readonly #journals = new Set<Kept>();
  #bytes = 0;

  /** `most`: bytes. */
  constructor(most: number = mostJournals) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A journal has grown by so many bytes, or shrunk; what is too much is forgotten. */
  change(journal: Kept, bytes: number): void {
    this.#bytes += bytes;
    if (journal.bytes === 0) this.#journals.delete(journal);
    else if (journal.bytes === bytes) this.#journals.add(journal);
    if (bytes > 0 && this.#bytes > this.#most) this.#makeRoom();
  }

  /** The sandbox of a journal is forgotten. */
  leave(journal: Kept): void {
    if (this.#journals.delete(journal)) this.#bytes -= journal.bytes;
  }

  #makeRoom(): void {
    while (this.#bytes > this.#most * share) {
      let largest: Kept | undefined;
      for (const journal of this.#journals)
        if (journal.bytes > (largest?.bytes ?? 0)) largest = journal;
      if (largest === undefined) return;
      largest.forgetHalf();
    }
  }
}
