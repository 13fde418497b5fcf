import type { Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import type { Trace } from './trace/trace.ts';

/**
 * Judges the statuses of lawful requests: success, and 404 for what is not there. What was removed
 * is judged by `state`.
 */
export function judgeStatus(trace: Trace): readonly Finding[] {
  return judgeIntents(trace, 'status');
}
