import type { StruckFault } from './fault-plan.ts';
import type { Reading } from './rate-limit.ts';
import type { Check, Reason } from './refusal.ts';

/** One request and what came of it, for logs and journals. Holds no key. */
export interface Exchange {
  /** Counts the requests of the sandbox from 0. */
  readonly index: number;
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number;
  readonly method: string;
  /** Path and query as sent, without its query where that may hold a key, and cut off where it is long. */
  readonly target: string;
  /** Id of the operation; undefined where the document has none for the request. */
  readonly operation: string | undefined;
  readonly status: number;
  /** Why the request was refused, and by which check; undefined where it was not. */
  readonly refusal: { readonly check: Check; readonly reason: Reason; readonly message: string } | undefined;
  readonly sandbox: string;
  /** Undefined for callers without a valid key. */
  readonly plan: string | undefined;
  /** What the rate-limit headers say; undefined where the document limits nothing. */
  readonly rate: Reading | undefined;
  /** The fault that struck; undefined for none. */
  readonly fault: StruckFault | undefined;
  /** Preferences of the request that were followed (RFC 7240); empty for none. */
  readonly preferred: string;
  /** Id of the operation whose event was sent; undefined for none. */
  readonly event: string | undefined;
  /** The time from the whole request to the whole answer, in the mock; delays are not in it. */
  readonly milliseconds: number;
}
