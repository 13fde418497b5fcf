import type { ReceivedResponse } from '../conformance/index.ts';

/** A body as it was recorded, or why it is not there to its end. Follows "its body". */
export type RecordedBody =
  | {
      readonly kind: 'whole';
      /** Decoded as UTF-8, without its content coding; empty for none. */
      readonly text: string;
      /** False: bytes that are no UTF-8 became U+FFFD. */
      readonly utf8: boolean;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Header fields in their order, with repetitions; the case of names is as it was recorded. */
export type RecordedHeaders = ReceivedResponse['headers'];

export interface RecordedRequest {
  readonly method: string;
  /** Absolute, without a fragment: `https://api.example/v1/pets?limit=5`. */
  readonly url: string;
  readonly headers: RecordedHeaders;
  readonly body: RecordedBody;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: RecordedHeaders;
  readonly body: RecordedBody;
}

/** One request of a client and what came back, as somebody saw it on its way. May hold keys. */
export interface RecordedExchange {
  /** Where it is in the recording: a JSON pointer, or empty. */
  readonly place: string;
  readonly request: RecordedRequest;
  /** Undefined where none came, or none is recorded. */
  readonly response: RecordedResponse | undefined;
  /** Why the response is not the server's: a cache gave it. Follows "since". */
  readonly foreign: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/** No body. */
export const noBody: RecordedBody = { kind: 'whole', text: '', utf8: true };
