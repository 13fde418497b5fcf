import type { TransportError } from '../exchange.ts';

/** A response that costs more than the suite takes, or that has no end: what is told of it. */
export class Excess extends Error {
  override readonly name = 'Excess';
  readonly reason: Extract<TransportError['reason'], 'too-large' | 'endless'>;
  constructor(reason: Excess['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A number as people read it: `16,777,216`. */
export function tellCount(count: number): string {
  return count.toLocaleString('en');
}
