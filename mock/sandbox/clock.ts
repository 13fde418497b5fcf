import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { endOfDates } from '../http/field.ts';

/** The source of time of the mock. Moving it moves everything that depends on time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this many milliseconds. Default: the machine's timer. */
  sleep?(milliseconds: number): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Waits by a clock, or by the machine's timer if the clock has none. Aborting the signal ends the
 * wait at once and clears the timer.
 */
export function sleepBy(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.sleep === undefined ? setTimeout(end, milliseconds) : undefined;
    clock.sleep?.(milliseconds).then(end, reject);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Difference between a sandbox's clock and the mock's: an offset, or frozen. */
export const clockState = codec.variants({
  running: { ahead: codec.number },
  frozen: { at: codec.number },
});

export type ClockState = TypeOf<typeof clockState>;

/** The clock of a new sandbox. */
export const onTime: ClockState = { kind: 'running', ahead: 0 };

/** The time of one sandbox. It follows the mock's clock until it is moved or frozen. */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  /**
   * Milliseconds by which other instances of the mock, now or earlier, are ahead of this one's
   * clock.
   */
  #lead = 0;
  state: ClockState = onTime;

  constructor(base: Clock) {
    this.#base = base;
  }

  /** Whether it is frozen, or so far from the mock's clock that somebody must have moved it. */
  get isMoved(): boolean {
    return this.state.kind === 'frozen' || Math.abs(this.state.ahead) >= 1000;
  }

  /** Ends at the year 9999. */
  now(): number {
    const now = this.state.kind === 'frozen' ? this.state.at : this.base + this.state.ahead;
    return now < endOfDates ? now : endOfDates - 1;
  }

  /** The mock's clock. It never goes back behind the clocks of other instances, and never stops. */
  get base(): number {
    return this.#base.now() + this.#lead;
  }

  /** Another instance has seen this time. */
  follow(instant: number): void {
    this.#lead = Math.max(this.#lead, instant - this.#base.now());
  }

  freeze(): void {
    this.state = { kind: 'frozen', at: this.now() };
  }

  /** Continues from where it stopped. */
  thaw(): void {
    this.state = { kind: 'running', ahead: this.now() - this.base };
  }

  /**
   * Sets the time, in milliseconds since 1970. Throws `PetstoreError` before 1970 and after 9999.
   */
  set(instant: number): void {
    if (!(instant >= 0 && instant < endOfDates))
      throw new PetstoreError('clock', 'The clock must be set to a year from 1970 to 9999.');
    this.state =
      this.state.kind === 'frozen'
        ? { kind: 'frozen', at: instant }
        : { kind: 'running', ahead: instant - this.base };
  }

  /** Advances by milliseconds; negative values go back. Throws `PetstoreError`. */
  advance(milliseconds: number): void {
    this.set(this.now() + milliseconds);
  }

  /** Restores a saved state. Default: that of a new sandbox. */
  restore(state: ClockState = onTime): void {
    this.state = state;
  }
}
