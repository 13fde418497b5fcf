import type { Exchange } from './journal-entry.ts';

/** The last requests of a sandbox; older ones are forgotten. */
export class Journal {
  readonly #size: number;
  #ring: Exchange[] = [];
  readonly #listeners = new Set<(exchange: Exchange) => void>();
  #count = 0;
  #cleared = 0;

  /** `size`: how many exchanges are kept, from 1. */
  constructor(size: number) {
    this.#size = size;
  }

  /**
   * Number of exchanges since the sandbox began, forgotten ones included; the next one has this
   * index.
   */
  get count(): number {
    return this.#count;
  }

  /** Someone waits for exchanges. */
  get isAwaited(): boolean {
    return this.#listeners.size > 0;
  }

  add(exchange: Exchange): void {
    this.#ring[(this.#count - this.#cleared) % this.#size] = exchange;
    this.#count += 1;
    for (const listener of this.#listeners) listener(exchange);
  }

  /** Exchanges that are kept, oldest first. */
  get exchanges(): readonly Exchange[] {
    const oldest = Math.max(0, this.#count - this.#cleared - this.#size) % this.#size;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
  }

  /** Forgets all exchanges. Indexes go on. */
  clear(): void {
    this.#ring = [];
    this.#cleared = this.#count;
  }

  /** Calls back with each exchange from now on, until the function that it gives is called. */
  listen(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
