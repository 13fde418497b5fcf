import type { JsonValue } from '../../../contract/index.ts';
import type { MockRequest } from '../../http/message.ts';
import type { Refusal } from '../../http/refusal.ts';
import type { Store } from '../../store/store.ts';

/** What came of a request, before it is dressed with headers. */
export type Outcome = Success | Refusal;

/** The wanted answer. */
export interface Success {
  readonly kind: 'success';
  readonly status: number;
  /** Empty for none. */
  readonly body: string;
  /** By default that of the endpoint. */
  readonly mediaType?: string;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
}

/** What actions see of a sandbox. */
export interface SandboxState {
  readonly store: Store;
  /** Lists answered; each response in no lasting order is drawn by it. */
  turns: number;
}

/** One request on its way through the mock. */
export interface Call {
  readonly request: MockRequest;
  /** Decoded values of the path's parameters, in the order of the template. */
  readonly pathValues: readonly string[];
  /** Without the question mark. */
  readonly query: string;
  readonly sandbox: SandboxState;
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly now: number;
}

/** What a request says, read and found to fit. */
export interface Input {
  /** By `argumentKey`. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
  /** An open question has decided that nothing matches. */
  readonly matchesNothing: boolean;
  /** The body; undefined for none. */
  readonly body: JsonValue | undefined;
}

/** Does what an operation says, on input that fits. */
export type Action = (input: Input, call: Call) => Outcome;

const NO_HEADERS: readonly string[] = [];

/** A reply with a body, `` for none. */
export function success(
  status: number,
  body: string,
  headers: readonly string[] = NO_HEADERS,
): Success {
  return { kind: 'success', status, body, headers };
}
