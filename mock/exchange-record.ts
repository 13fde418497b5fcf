import type { Endpoint } from './endpoint.ts';
import type { MockAnswer } from './exchange.ts';
import type { StruckFault } from './fault-plan.ts';
import type { Call, Outcome } from './outcome.ts';
import type { Reading } from './rate-limit.ts';
import { type Check, type Reason, checkOf, isRefusal } from './refusal.ts';
import type { Caller } from './sandbox.ts';

/** One request and what came of it, for logs and journals. Holds no key. */
export interface Exchange {
  /** Counts the requests of the sandbox from 0. */
  readonly index: number;
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number;
  readonly method: string;
  /** Path and query as sent, without its query where that may hold a key, and cut off where it is long. */
  readonly target: string;
  /** Id of the operation; undefined where the document has none for the request. */
  readonly operation: string | undefined;
  readonly status: number;
  /** Why the request was refused, and by which check; undefined where it was not. */
  readonly refusal: { readonly check: Check; readonly reason: Reason; readonly message: string } | undefined;
  readonly sandbox: string;
  /** Undefined for callers without a valid key. */
  readonly plan: string | undefined;
  /** What the rate-limit headers say; undefined where the document limits nothing. */
  readonly rate: Reading | undefined;
  /** The fault that struck; undefined for none. */
  readonly fault: StruckFault | undefined;
  /** Preferences of the request that were followed (RFC 7240); empty for none. */
  readonly preferred: string;
  /** Id of the operation whose event was sent; undefined for none. */
  readonly event: string | undefined;
  /** The time from the whole request to the whole answer, in the mock; delays are not in it. */
  readonly milliseconds: number;
}

/** What came of a request on its way. */
export interface Course {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  /** The key that was sent; `` for none. */
  readonly key: string;
  readonly outcome: Outcome;
  readonly answer: MockAnswer;
  readonly fault: StruckFault | undefined;
  readonly preferred: string;
  readonly milliseconds: number;
}

/** Longer targets are cut off, so that the journal's memory is bounded. */
const MAX_TARGET = 1000;

/** The record of one request. */
export function recordExchange({ request, sandbox, now }: Call, course: Course): Exchange {
  const { endpoint, caller, outcome, answer, fault, preferred, milliseconds } = course;
  return {
    index: sandbox.journal.count,
    at: now,
    method: request.method,
    target: showTarget(request.target, endpoint, course.key),
    operation: endpoint.operation?.id,
    status: answer.status,
    refusal: isRefusal(outcome) ? { check: checkOf(outcome.reason), reason: outcome.reason, message: outcome.message } : undefined,
    sandbox: sandbox.name,
    plan: caller.plan,
    rate: caller.meter.read(now),
    fault,
    preferred,
    event: endpoint.sendsEvents && outcome.kind === 'reply' ? endpoint.operation?.id : undefined,
    milliseconds,
  };
}

function showTarget(target: string, { credential }: Endpoint, key: string): string {
  const isKeyInQuery = credential.kind === 'api-key' && credential.in === 'query';
  const shown = isKeyInQuery ? (target.split('?')[0] ?? '') : target;
  const redacted = key !== '' && shown.includes(key) ? shown.replaceAll(key, '[key]') : shown;
  return redacted.length > MAX_TARGET ? `${redacted.slice(0, MAX_TARGET)}...` : redacted;
}
