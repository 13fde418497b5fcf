import type { JsonObject } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { MockResponse } from '../http/message.ts';
import type { Call, Outcome } from '../operation/response/outcome.ts';
import type { StubRecord } from './journal-entry.ts';

/** The stubs of a sandbox, as the pipeline asks for them. */
export interface StubPlan {
  /** What the stubs make of a request; each call is one request. Undefined where none is near. */
  next(call: Call, operation: Operation | undefined): StubDecision | undefined;
  /** Rules, uses and scenarios, from which the same stubs can be made; undefined if there are none. */
  readonly state: JsonObject | undefined;
  /** What the rules cost in memory. */
  readonly bytes: number;
  /** Some were added by control, not by a file. */
  readonly isControlled: boolean;
}

/** What the stubs of a sandbox make of one request. */
export interface StubDecision {
  /** The outcome in place of the operation's; undefined where no stub is for the request. */
  readonly outcome: Outcome | undefined;
  /** The response with the headers and the delivery that the stub asks for. */
  alter(response: MockResponse): MockResponse;
  readonly record: StubRecord;
}
