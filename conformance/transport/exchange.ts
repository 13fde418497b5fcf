/**
 * One request that the suite sent and what came back. Data only, and all that the checks may look
 * at: whoever has the exchanges of a run can judge it again. The key itself is never in here, only
 * which credential was used.
 */
export interface Exchange {
  /** Position in the run, from 0. */
  readonly index: number;
  /** Id of the probe that sent it. */
  readonly probe: string;
  readonly intent: Intent;
  readonly request: SentRequest;
  readonly outcome: Outcome;
  /** Milliseconds since the Unix epoch, by the suite's clock. */
  readonly sentAt: number;
  readonly endedAt: number;
  /** Exchanges with the same group were under way at the same time. */
  readonly group: string | undefined;
}

/** What the suite wanted to learn with a request; it decides what may be expected of the response. */
export type Intent =
  /**
   * Keeps the contract. `exercises`: what a refusal would break, the most specific first.
   * `mayRefuse`: open questions that make a refusal lawful.
   */
  | {
      readonly kind: 'valid';
      readonly exercises: readonly string[];
      readonly mayRefuse: readonly string[];
    }
  /**
   * Breaks the contract in exactly one way; `requirement` says that it is answered `status`. `also`:
   * a wider requirement that such a response keeps as well; a narrower request tells whether it is
   * failed. `unless`: requirements that explain another response if they are failed.
   */
  | {
      readonly kind: 'invalid';
      readonly requirement: string;
      readonly way: string;
      readonly status: number;
      readonly also?: string;
      readonly unless?: readonly string[];
    }
  /** Asks for an item that no one has seen. */
  | { readonly kind: 'absent'; readonly requirement: string; readonly id: string }
  /** Keeps the contract but is sent when nothing is left of the limit, and so has to be refused. */
  | { readonly kind: 'beyond' }
  /** Goes where the document is silent; `way` tells several requests of one question apart. */
  | { readonly kind: 'open'; readonly question: string; readonly way: string }
  /** Was sent by a client that is judged itself; the suite sends none such. */
  | ClientIntent;

/** A client's request, as the mock that it came to saw it. */
export interface ClientIntent {
  readonly kind: 'client';
  /** Id of the scenario that was played; `journal` for none. */
  readonly scenario: string;
  /**
   * Names the key that was sent, such as its sandbox and plan, and never is it; undefined for no
   * valid key. Requests of one key share their limit.
   */
  readonly key: string | undefined;
  /** Numbers the connection that it came on; undefined where that is not known. */
  readonly connection: number | undefined;
  /** Why the mock refused; undefined where it did not. */
  readonly refusal: ClientRefusal | undefined;
  /** False where target or body are not there to their end. */
  readonly isWhole: boolean;
}

/**
 * A refusal of the mock: its word for machines, such as `invalid_body`, and its sentence for
 * people.
 */
export interface ClientRefusal {
  readonly reason: string;
  readonly message: string;
}

export interface SentRequest {
  readonly operation: string;
  readonly method: string;
  /** Path and query relative to the base address: `/pets?limit=1`. */
  readonly target: string;
  /** Without the credential. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly credential: CredentialUse;
  readonly body: string | undefined;
}

/**
 * Which credential a request carried. `valid`: the key. `missing`: none. `invalid`: a key that was
 * made up. `other-scheme`: the key under `Basic`. The rest are keys that are nearly the key.
 */
export type CredentialUse =
  | 'valid'
  | 'missing'
  | 'invalid'
  | 'other-scheme'
  | 'cut'
  | 'longer'
  | 'other-case';

export type Outcome =
  | { readonly kind: 'answered'; readonly response: ReceivedResponse }
  | { readonly kind: 'no-response'; readonly error: TransportError };

export interface ReceivedResponse {
  readonly status: number;
  /** As received: order, case and repetitions kept. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * Decoded as UTF-8, a byte order mark kept; bytes that are not UTF-8 become U+FFFD and `utf8` is
   * false.
   */
  readonly body: string;
  readonly utf8: boolean;
}

/**
 * Why no response came. `timeout` and `cut` are the target's doing; the others mean that nobody was
 * there.
 */
export interface TransportError {
  readonly reason: 'timeout' | 'cut' | 'not-http' | 'unreachable' | 'name' | 'tls';
  readonly message: string;
}

/**
 * All values of a header, in one string as RFC 9110 section 5.3 combines them; undefined where it
 * is absent.
 */
export function headerOf(response: ReceivedResponse, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = response.headers
    .filter(([each]) => each.length === wanted.length && each.toLowerCase() === wanted)
    .map(([, value]) => value.trim());
  return values.length === 0 ? undefined : values.join(', ');
}
