import * as codec from '../../contract/json/codec.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { endOfDates } from '../http/field.ts';

/** Where the mock takes the time from; moving it moves all that depends on time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds. By default the machine's timer. */
  sleep?(milliseconds: number): Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Waits by a clock, or by the machine's timer where the clock has none. A signal that is aborted
 * ends the wait at once, and leaves no timer behind.
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

/** How a sandbox's clock differs from the mock's: ahead of it, or frozen. */
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
  /** Milliseconds that others who serve the sandbox, or did so before, were ahead of the mock's clock. */
  #lead = 0;
  state: ClockState = onTime;

  constructor(base: Clock) {
    this.#base = base;
  }

  /** It is frozen, or so far from the mock's clock that it must have been moved. */
  get isMoved(): boolean {
    return this.state.kind === 'frozen' || Math.abs(this.state.ahead) >= 1000;
  }

  /** It stops at the end of the year 9999. */
  now(): number {
    const now = this.state.kind === 'frozen' ? this.state.at : this.base + this.state.ahead;
    return now < endOfDates ? now : endOfDates - 1;
  }

  /** The mock's clock, which never goes back behind what others have seen of theirs, and never stops. */
  get base(): number {
    return this.#base.now() + this.#lead;
  }

  /** Others who serve the sandbox have seen their clock at this instant. */
  follow(instant: number): void {
    this.#lead = Math.max(this.#lead, instant - this.#base.now());
  }

  /** Stops at its present time. */
  freeze(): void {
    this.state = { kind: 'frozen', at: this.now() };
  }

  /** Goes on from where it stood. */
  thaw(): void {
    this.state = { kind: 'running', ahead: this.now() - this.base };
  }

  /** Jumps to milliseconds since 1970. Throws `PetstoreError` before 1970 and after 9999. */
  set(instant: number): void {
    if (!(instant >= 0 && instant < endOfDates))
      throw new PetstoreError('clock', 'The clock must be set to a year from 1970 to 9999.');
    this.state =
      this.state.kind === 'frozen'
        ? { kind: 'frozen', at: instant }
        : { kind: 'running', ahead: instant - this.base };
  }

  /** Moves on by milliseconds; back where they are negative. Throws `PetstoreError`. */
  advance(milliseconds: number): void {
    this.set(this.now() + milliseconds);
  }

  /** Puts back a state that was read; by default that of a new sandbox. */
  restore(state: ClockState = onTime): void {
    this.state = state;
  }
}
