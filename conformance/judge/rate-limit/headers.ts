import { requirementId } from '../../../contract/requirement/requirement.ts';
import type { RatePlan, RateLimitPolicy } from '../../../contract/openapi/rate-limit.ts';
import { largest } from '../../../contract/list/list.ts';
import { excused, failed, judged, passed, unclear, type Finding } from '../trace/finding.ts';
import { headerOf } from '../../transport/exchange.ts';
import { mayBeOfProxy } from '../trace/refusal.ts';
import { judgeCounts } from './counting.ts';
import { hasKey, planSeconds, type Step } from './step.ts';

/** Milliseconds by which Reset may lie before `Date`: rounding, and slow responses. */
const slack = 5000;

/** Judges the rate-limit headers: each response for itself, and those to the key in their order. */
export function* judgeHeaders(
  steps: readonly Step[],
  policy: RateLimitPolicy,
  plan: RatePlan | undefined,
): Generator<Finding> {
  for (const step of steps) {
    yield* judgeWithinLimit(step, policy);
    yield* judgeReset(step, policy, plan);
    yield* judgeUnlisted(step, policy);
    yield* doubtLimited(step, policy);
    if (hasKey(step)) yield* judgePlan(step, policy, plan);
  }
  yield* judgeCounts(steps.filter(hasKey), policy);
}

function* judgeWithinLimit(step: Step, { headers }: RateLimitPolicy): Generator<Finding> {
  const { limit, remaining, reading } = step;
  if (limit === undefined || remaining === undefined) return;
  const id = requirementId.rateLimit('remaining-within-limit');
  const expected = `${headers.remaining} of at most ${limit}`;
  yield judged(remaining <= limit, id, reading.exchange.index, expected, String(remaining));
}

function* judgeReset(
  step: Step,
  policy: RateLimitPolicy,
  plan: RatePlan | undefined,
): Generator<Finding> {
  const { reading, reset, now, dated, limited, limit } = step;
  if (reset === undefined) return;
  const { index, sentAt, endedAt } = reading.exchange;
  const all = largest(policy.windows.map((window) => window.seconds)) * 1000;
  // A 429 may be told for longer than its window: requests over the limit can prolong the wait.
  const own = limited || !hasKey(step) ? undefined : planSeconds(limit, policy, plan);
  const longest = own === undefined ? all : own * 1000;
  const unsure = slack + (endedAt - sentAt) + (dated ? 0 : all);
  const ahead = reset * 1000 - now;
  const id = requirementId.rateLimit('reset-plausible');
  if (ahead >= -unsure && ahead <= longest + unsure) yield passed(id, index);
  else {
    const expected = `a Unix time in seconds, not before ${new Date(now).toISOString()} and at most ${longest / 1000} seconds ahead`;
    const seconds = Math.abs(Math.round(ahead / 1000));
    const received = `${reset}, ${seconds} seconds ${ahead < 0 ? 'in the past' : 'ahead'}`;
    yield failed(id, index, expected, received);
  }
}

/** Responses of a status that the operation does not list: they carry the headers as well. */
function* judgeUnlisted({ reading }: Step, { headers }: RateLimitPolicy): Generator<Finding> {
  const { documented, response, exchange } = reading;
  if (documented !== undefined || mayBeOfProxy(reading)) return;
  const missing = [headers.limit, headers.remaining, headers.reset].filter(
    (name) => headerOf(response, name) === undefined,
  );
  const id = requirementId.rateLimit('headers');
  const received = `a ${response.status} without ${missing.join(', ')}`;
  yield judged(missing.length === 0, id, exchange.index, 'the rate-limit headers', received);
}

/** A 429 without Retry-After fails the header's own requirement; another window may be used up. */
function* doubtLimited(step: Step, { headers }: RateLimitPolicy): Generator<Finding> {
  const { reading, limited, remaining = 0 } = step;
  const { response, exchange } = reading;
  if (!limited) return;
  const retry = `a ${response.status} without ${headers.retryAfter}`;
  if (!headerOf(response, headers.retryAfter))
    yield unclear(requirementId.rateLimit('retry-after'), exchange.index, retry);
  const early = `a ${response.status} with ${headers.remaining} ${remaining}, which may be of another window`;
  if (remaining > 0) yield excused(requirementId.rateLimit('exceeded'), exchange.index, early);
}

/** Limit is one of the plan's, for whichever window the target speaks of. */
function* judgePlan(
  { reading, limit }: Step,
  { headers }: RateLimitPolicy,
  plan: RatePlan | undefined,
): Generator<Finding> {
  if (plan?.limits === undefined || limit === undefined) return;
  const limits = [...plan.limits.values()];
  const id = requirementId.rateLimit('plan');
  const expected = `${headers.limit} ${limits.join(' or ')}, as in the plan ${plan.name}`;
  yield judged(limits.includes(limit), id, reading.exchange.index, expected, String(limit));
}
