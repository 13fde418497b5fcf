import type { ReceivedResponse } from '../conformance/index.ts';

/**
 * A recorded body, or why it is incomplete, as the end of a sentence that begins with "its body".
 */
export type RecordedBody =
  | {
      readonly kind: 'whole';
      /** Without content coding, decoded as UTF-8; empty for none. */
      readonly text: string;
      /** False if invalid UTF-8 was replaced by U+FFFD. */
      readonly utf8: boolean;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Header fields in their order, with repetitions, and in their recorded case. */
export type RecordedHeaders = ReceivedResponse['headers'];

export interface RecordedRequest {
  readonly method: string;
  /** Absolute URL without a fragment: `https://api.example/v1/pets?limit=5`. */
  readonly url: string;
  readonly headers: RecordedHeaders;
  readonly body: RecordedBody;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: RecordedHeaders;
  readonly body: RecordedBody;
}

/** A request of a client and its response, as observed in transit. May contain keys. */
export interface RecordedExchange {
  /** Location in the recording: a JSON pointer, or empty. */
  readonly place: string;
  readonly request: RecordedRequest;
  /** Undefined if none arrived or none is recorded. */
  readonly response: RecordedResponse | undefined;
  /**
   * Why the response does not come from the server, such as from a cache. Completes a sentence with
   * "since".
   */
  readonly foreign: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly sentAt: number;
  readonly endedAt: number;
}

export const noBody: RecordedBody = { kind: 'whole', text: '', utf8: true };
