import type { Endpoint } from './endpoint.ts';
import type { MockAnswer } from './exchange.ts';
import type { Caller } from './keyring.ts';
import type { Call, Outcome } from './outcome.ts';
import { type Reason, isRefusal } from './refusal.ts';

/** One request and what came of it, for logs and journals. Holds no key. */
export interface Exchange {
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number;
  readonly method: string;
  /** Path and query as sent, without its query where that may hold a key. */
  readonly target: string;
  /** Id of the operation; undefined where the document has none for the request. */
  readonly operation: string | undefined;
  readonly status: number;
  /** Why the request was refused; undefined where it was not. */
  readonly refusal: { readonly reason: Reason; readonly message: string } | undefined;
  readonly sandbox: string;
  /** Undefined for callers without a valid key. */
  readonly plan: string | undefined;
  /** Requests left in the current window; undefined where the document limits none. */
  readonly remaining: number | undefined;
  /** Bytes are not in it: the time from the whole request to the whole answer, in the mock. */
  readonly milliseconds: number;
}

/** The record of one request. */
export function recordExchange(call: Call, answer: MockAnswer, endpoint: Endpoint, caller: Caller, outcome: Outcome, milliseconds: number): Exchange {
  const { request, sandbox, now } = call;
  const isKeyInQuery = endpoint.credential.kind === 'api-key' && endpoint.credential.in === 'query';
  return {
    at: now,
    method: request.method,
    target: isKeyInQuery ? (request.target.split('?')[0] ?? '') : request.target,
    operation: endpoint.operation?.id,
    status: answer.status,
    refusal: isRefusal(outcome) ? { reason: outcome.reason, message: outcome.message } : undefined,
    sandbox: sandbox.name,
    plan: caller.plan,
    remaining: caller.meter.remaining(now),
    milliseconds,
  };
}
