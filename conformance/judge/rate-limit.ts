import { judgeHeaders } from './rate-limit/headers.ts';
import { judgeLimit } from './rate-limit/limit.ts';
import { hasKey, listSteps } from './rate-limit/step.ts';
import type { Finding } from './trace/finding.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the arithmetic of the rate-limit headers, and the limit itself. */
export function* judgeRateLimit(trace: Trace): Generator<Finding> {
  const policy = trace.contract.rateLimit;
  if (policy === undefined) return;
  const steps = listSteps(trace, policy);
  yield* judgeHeaders(steps, policy, trace.plan);
  yield* judgeLimit(steps.filter(hasKey), policy, trace.exchanges);
}
