/** A response that costs more than the suite takes, or that has no end: what is told of it. */
export class Excess extends Error {
  override readonly name = 'Excess';
  readonly reason: 'too-large' | 'endless';
  /** What was found and what is taken; the message names the flag that raises it besides. */
  readonly found: string;
  constructor(reason: Excess['reason'], found: string, flag?: string) {
    super(flag === undefined ? found : `${found} (${flag})`);
    this.reason = reason;
    this.found = found;
  }
}

/** A number as people read it: `16,777,216`. */
export function tellCount(count: number): string {
  return count.toLocaleString('en');
}
