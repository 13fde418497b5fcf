import { PetstoreError } from '../../contract/index.ts';

/** Control requests that wait for the journal of a sandbox. */
export const mostWaits = 100;

/** Webhooks that the control interface sends at once. */
export const mostDeliveries = 100;

/** Limits how many actions of a kind are under way at once. */
export class Turns {
  readonly #most: number;
  readonly #refusal: string;
  #taken = 0;

  constructor(most: number, refusal: string) {
    this.#most = most;
    this.#refusal = refusal;
  }

  /** Rejects with `PetstoreError` of code `memory` for one too many. */
  async take<Value>(action: () => Promise<Value>): Promise<Value> {
    if (this.#taken >= this.#most) throw new PetstoreError('memory', this.#refusal);
    this.#taken += 1;
    try {
      return await action();
    } finally {
      this.#taken -= 1;
    }
  }
}
