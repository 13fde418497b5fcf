import type { JsonObject, Operation } from '../../../contract/index.ts';
import type { MockResponse } from '../../http/message.ts';
import type { Call, Outcome } from '../../operation/response/outcome.ts';

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

/** What the stubs made of a request, for logs and journals. */
export type StubRecord =
  | {
      readonly kind: 'applied';
      readonly id: string;
      readonly name: string | undefined;
      /** What of the contract the response breaks, a sentence each. */
      readonly breaks: readonly string[];
    }
  | {
      /** A stub for the operation or path of the request was not for this request. */
      readonly kind: 'missed';
      readonly id: string;
      /** Why not, to go after its name: `the query has limit=5, not 10`. */
      readonly reason: string;
    };
