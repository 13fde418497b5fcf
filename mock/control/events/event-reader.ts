/** Texts that wait for a slow reader, in characters, before exchanges are left out. */
const mostWaiting = 4_194_304;

/** Milliseconds between signs of life where nothing happens. */
const heartbeat = 15_000;

/** What one client is told: texts in their order, bounded where it is slow to take them. */
export class EventReader {
  #texts: string[] = [];
  #length = 0;
  #dropped = 0;
  #wake: (() => void) | undefined;
  #isOver = false;

  /**
   * One that takes nothing while very much happens is told no more: it connects again, and loads
   * what there is.
   */
  push(text: string): void {
    if (this.#length > 2 * mostWaiting) {
      [this.#texts, this.#length, this.#isOver] = [[], 0, true];
      this.#wake?.();
    }
    if (this.#isOver) return;
    this.#texts.push(text);
    this.#length += text.length;
    this.#wake?.();
  }

  /** A text of so many exchanges, which are left out where too much waits. */
  pushExchanges(text: string, count: number): void {
    if (this.#length > mostWaiting) this.#dropped += count;
    else this.push(text);
  }

  /** What there is to send, and what comes, until the signal is aborted. */
  async *read(signal: AbortSignal): AsyncGenerator<string, void> {
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
    while (!signal.aborted && !this.#isOver) {
      if (this.#texts.length === 0) await this.#change();
      if (signal.aborted || this.#isOver) return;
      yield this.#take();
    }
  }

  #take(): string {
    const text = this.#texts.join('');
    const dropped = this.#dropped;
    [this.#texts, this.#length, this.#dropped] = [[], 0, 0];
    if (dropped > 0) return text + renderEvent('dropped', JSON.stringify({ count: dropped }));
    return text === '' ? ':\n\n' : text;
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

/** An event with data that has no line breaks (HTML, server-sent events). */
export function renderEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
