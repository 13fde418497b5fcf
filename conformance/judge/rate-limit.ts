import { judgeHeaders } from './rate-limit/headers.ts';
import { judgeLimit } from './rate-limit/limit.ts';
import type { Finding } from './trace/finding.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the arithmetic of the rate-limit headers, and the limit itself. */
export function* judgeRateLimit(trace: Trace): Generator<Finding> {
  yield* judgeHeaders(trace);
  yield* judgeLimit(trace);
}
