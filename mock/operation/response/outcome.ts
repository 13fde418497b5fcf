import { type JsonValue, renderJson } from '../../../contract/json/value.ts';
import type { MockRequest } from '../../http/message.ts';
import type { LimitReading } from '../../rate-limit/limiter.ts';
import type { HeaderFacts, Refusal } from './refusal.ts';
import type { Store } from '../../items/store/store.ts';

/** What came of a request, before it is rendered as a response. */
export type Outcome = Success | Refusal;

/** The operation did what it is for. */
export interface Success {
  readonly kind: 'success';
  readonly status: number;
  /** Empty for none. */
  readonly body: string;
  /** By default that of the operation's documented response. */
  readonly mediaType?: string;
  readonly facts: HeaderFacts | undefined;
}

/** What actions see of a sandbox. */
export interface SandboxState {
  readonly store: Store;
  /** Lists so far: seeds the order of a list where the choices give it none. */
  listCount: number;
}

/** One request on its way through the mock. */
export interface Call {
  readonly request: MockRequest;
  /** Decoded values of the path's parameters, in the order of the template. */
  readonly pathValues: readonly string[];
  /** The same as they were sent, percent-encoded. */
  readonly pathTexts: readonly string[];
  /** Without the question mark. */
  readonly query: string;
  readonly sandbox: SandboxState;
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly now: number;
}

/** What a request says, read and found to fit. */
export interface Input {
  readonly kind: 'input';
  /** By `argumentKey`. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
  /** An open question has decided that nothing matches. */
  readonly matchesNothing: boolean;
  /** The body; undefined for none. */
  readonly body: JsonValue | undefined;
}

/** What a response contains besides its outcome. */
export interface Moment {
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly now: number;
  /** Undefined if nothing is counted. */
  readonly rate: LimitReading | undefined;
  /** Preferences that were followed; `` for none. */
  readonly applied: string;
  /** As on the request line. */
  readonly target: string;
  /** Whose origin addresses have; undefined if none is known. */
  readonly request?: MockRequest;
  /** Name of the sandbox, and the number of the request there. */
  readonly sandbox: string;
  readonly index: number;
}

export const noInput: Input = {
  kind: 'input',
  parameters: new Map(),
  matchesNothing: false,
  body: undefined,
};

/** Does what an operation says, on input that fits. */
export type Action = (input: Input, call: Call) => Outcome;

/** A success with a body, `` for none. */
export function success(status: number, body: string, facts?: HeaderFacts): Success {
  return { kind: 'success', status, body, facts };
}

/** A success whose body is JSON, whatever the document says of it. */
export function successJson(status: number, value: JsonValue, facts?: HeaderFacts): Success {
  return { ...success(status, renderJson(value), facts), mediaType: 'application/json' };
}
