/** Exchanges, bytes of their bodies, and milliseconds that judging waits for at most. */
const most = { exchanges: 256, bytes: 4 * 1024 * 1024, delay: 50 } as const;

/**
 * Exchanges that passed and are still to be judged. Many at once cost less than half of one at a
 * time, as code and data of the judge stay in the caches of the processor, and no response waits.
 */
export class Backlog {
  #waiting: (() => void)[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param bytes what is kept until it is judged */
  add(judge: () => void, bytes: number): void {
    this.#waiting.push(judge);
    this.#bytes += bytes;
    if (this.#waiting.length >= most.exchanges || this.#bytes >= most.bytes) this.clear();
    else this.#timer ??= setTimeout(() => this.clear(), most.delay);
  }

  /** Judges all that waits. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (const judge of waiting) judge();
  }
}
