import type { Environment, WireRequest, WireResponse } from './wire.ts';

/** What became of a request. */
export interface Attempt {
  readonly method: string;
  /** Undefined where no response came. */
  readonly response: WireResponse | undefined;
  /** How often the request was sent, from 1. */
  readonly tries: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly random: () => number;
}

/** How a client goes about its work. A mutant is a careful one in all but one of these. */
export interface Manner {
  /** Milliseconds before it is sent again; undefined: it is not. */
  readonly retry: (attempt: Attempt) => number | undefined;
  /** Milliseconds that nothing at all is sent after a response. */
  readonly pause: (attempt: Attempt) => number;
  /** What authorizes a request. */
  readonly authorize: (key: string, tries: number) => Readonly<Record<string, string>>;
  /** The request as it is sent in the end. */
  readonly shape: (request: WireRequest, key: string, tries: number) => WireRequest;
  readonly parse: (text: string) => unknown;
  /** The body for a pet that is added. */
  readonly render: (pet: Readonly<Record<string, unknown>>) => string | Uint8Array;
  readonly work: (session: Session) => Promise<void>;
}

/** A client at work: it sends what its work asks for in its manner. */
export interface Session extends Environment {
  readonly manner: Manner;
  /** Sends until there is nothing to be tried again. Rejects where no response came. */
  readonly call: (
    method: string,
    target: string,
    body?: WireRequest['body'],
  ) => Promise<WireResponse>;
  /** Sends once, whatever was said before. */
  readonly sendOnce: (
    method: string,
    target: string,
    more?: Partial<WireRequest>,
  ) => Promise<WireResponse>;
}
