import type { Endpoint } from './endpoint.ts';
import type { MockAnswer } from './exchange.ts';
import type { Exchange } from './exchange-record.ts';
import type { StruckFault } from './fault-plan.ts';
import type { Call, Outcome } from './outcome.ts';
import { checkOf, isRefusal } from './refusal.ts';
import type { Caller } from './sandbox.ts';

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
export function recordExchange({ request, now }: Call, course: Course): Exchange {
  const { endpoint, caller, outcome, answer, fault, preferred, milliseconds } = course;
  const { sandbox } = caller;
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
