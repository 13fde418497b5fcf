/** Lets work through, but for the time in which it is closed. */
export class Gate {
  #underWay = 0;
  #closed: PromiseWithResolvers<void> | undefined;
  #empty: (() => void) | undefined;

  /** Resolves when the gate is open; `leave` is to be called once for it. */
  async enter(): Promise<void> {
    while (this.#closed !== undefined) await this.#closed.promise;
    this.#underWay += 1;
  }

  leave(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#empty?.();
  }

  /** Lets nothing through any more; resolves when what is under way is done. */
  async close(): Promise<void> {
    while (this.#closed !== undefined) await this.#closed.promise;
    this.#closed = Promise.withResolvers();
    if (this.#underWay > 0)
      await new Promise<void>((resolve) => {
        this.#empty = resolve;
      });
    this.#empty = undefined;
  }

  open(): void {
    this.#closed?.resolve();
    this.#closed = undefined;
  }
}
