import type { MockResponse, RequestHeaders } from '../http/message.ts';
import type { CallbackAddress } from './callback-address.ts';
import type { FaultRecord } from './fault-plan.ts';
import type { StubRecord } from './stub/stub-plan.ts';
import type { ClockState } from './sandbox-clock.ts';
import type { LimitReading } from '../rate-limit/limiter.ts';
import type { Check, Reason } from '../operation/response/refusal.ts';

/** What is kept of a request and its response beyond what lists of entries tell; keys are in it. */
export interface EntryDetail {
  /** Fields of the request, cut off where they are long. */
  readonly requestHeaders: RequestHeaders;
  /** The response before a fault broke it off; of a long body the beginning. */
  readonly response: Pick<MockResponse, 'status' | 'headers' | 'body'>;
  /** Bytes of the whole body, where only its beginning is kept. */
  readonly responseLength: number | undefined;
  /** JSON pointer into the document of what a refusal rests on; undefined where none is known. */
  readonly place: string | undefined;
}

/** One request and what came of it. Holds no key, but for one sent in the body. */
export interface JournalEntry {
  /** Counts the requests of the sandbox from 0. */
  readonly index: number;
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number;
  readonly method: string;
  /** Path and query as sent; no query where that may hold a key; cut off where long. */
  readonly target: string;
  /** The key stood in the target, or an unknown one in the body, where it does not belong. */
  readonly isKeyInTarget: boolean;
  /** `invalid`: a key that is unknown. `missing`: none, or none that can be read. */
  readonly credential: 'valid' | 'missing' | 'invalid';
  /** The beginning of the body, at most 4 KiB; undefined for none, or one not read to its end. */
  readonly content: Uint8Array | undefined;
  /** Bytes of the whole body; undefined for one that was not read to its end. */
  readonly contentLength: number | undefined;
  /** Id of the operation; undefined where the document has none for the request. */
  readonly operation: string | undefined;
  readonly status: number;
  /** Why the request was refused, and by which check; undefined where it was not. */
  readonly refusal:
    | { readonly check: Check; readonly reason: Reason; readonly message: string }
    | undefined;
  readonly sandbox: string;
  /** Undefined for callers without a valid key. */
  readonly plan: string | undefined;
  /** What the rate-limit headers say; undefined where the document limits nothing. */
  readonly rate: LimitReading | undefined;
  /** `Retry-After` of the response, as it was told; undefined for none. */
  readonly retryAfter: string | undefined;
  /** The fault that was applied; undefined for none. */
  readonly fault: FaultRecord | undefined;
  /** What the stubs of the sandbox made of it; undefined where none is near. */
  readonly stub: StubRecord | undefined;
  /** Preferences of the request that were followed (RFC 7240); empty for none. */
  readonly preferred: string;
  /** Id of the operation whose event was sent; undefined for none. */
  readonly event: string | undefined;
  /** Where the callbacks of the operation go by this request; undefined for none. */
  readonly callbacks: readonly CallbackAddress[] | undefined;
  /** What hints are made of when they are asked for; undefined where nothing is unusual. */
  readonly clues: Clues | undefined;
  /** The time from the whole request to the whole response, in the mock; delays are not in it. */
  readonly milliseconds: number;
}

/** What of a request is kept for hints. Holds no key. */
export interface Clues {
  /** The `Prefer` header, cut off where long; undefined for none. */
  readonly prefer: string | undefined;
  /** Names in a query that is not kept, since a key may stand there. */
  readonly queryNames: readonly string[] | undefined;
  /** The key of the mock that an unknown key is nearly; undefined for none. */
  readonly nearKey: string | undefined;
  /** The clock of the sandbox; undefined where it is that of the mock. */
  readonly clock: ClockState | undefined;
}
