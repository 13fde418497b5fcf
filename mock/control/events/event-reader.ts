/** Characters that wait for a slow client, from which on exchanges are left out. */
const mostWaiting = 4_194_304;

/** Milliseconds after which a comment is sent if nothing happens. */
const heartbeat = 15_000;

/** What is sent to one client, in order, bounded if the client is slow. */
export class EventReader {
  #texts: string[] = [];
  #length = 0;
  #dropped = 0;
  #wake: (() => void) | undefined;
  #isOver = false;

  /** A client that is far behind is disconnected: it connects again and loads the current state. */
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

  /** A text with so many exchanges, which are left out if too much is waiting. */
  pushExchanges(text: string, count: number): void {
    if (this.#length > mostWaiting) this.#dropped += count;
    else this.push(text);
  }

  /** The texts to send, as they come, until the signal is aborted. */
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

/** A server-sent event (HTML standard) whose data has no line breaks. */
export function renderEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
