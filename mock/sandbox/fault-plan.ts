import type { JsonObject } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { MockResponse } from '../http/message.ts';
import type { Refusal } from '../operation/response/refusal.ts';
import type { FaultRecord } from './journal-entry.ts';

/** The faults of a sandbox, as the pipeline asks for them. */
export interface FaultPlan {
  /** The fault to apply to a request; each call is one request. */
  next(operation: Operation | undefined): AppliedFault | undefined;
  readonly isEmpty: boolean;
  /** Rules and uses, from which the same faults can be made; undefined if there are none. */
  readonly state: JsonObject | undefined;
}

/** One fault, applied to one request. */
export interface AppliedFault {
  /** The response in place of the operation's; undefined where the operation is to do its work. */
  readonly refusal: Refusal | undefined;
  /** The response as the fault leaves it. */
  alter(response: MockResponse): MockResponse;
  readonly record: FaultRecord;
}
