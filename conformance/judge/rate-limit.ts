import { judgeHeaders } from './rate-limit/headers.ts';
import { judgeLimit } from './rate-limit/limit.ts';
import { hasKey, listSteps } from './rate-limit/step.ts';
import { judgeServed } from './rate-limit/served.ts';
import { judgeWindows } from './rate-limit/window.ts';
import type { Finding } from './trace/finding.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the arithmetic of the rate-limit headers, and the limit itself. */
export function* judgeRateLimit(trace: Trace): Generator<Finding> {
  const policy = trace.contract.rateLimit;
  if (policy === undefined) return;
  const steps = listSteps(trace, policy);
  yield* judgeHeaders(steps, policy, trace.plan);
  const own = steps.filter(hasKey);
  yield* judgeLimit(own, policy, trace.exchanges);
  yield* judgeServed(own, policy);
  yield* judgeWindows(own, policy, trace.plan);
}
