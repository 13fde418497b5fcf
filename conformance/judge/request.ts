import type { Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import type { Trace } from './trace/trace.ts';

/**
 * Judges what is taken as the body of a request: one that breaks its schema in one way is refused,
 * one that keeps it is not.
 */
export function judgeRequest(trace: Trace): readonly Finding[] {
  return judgeIntents(trace, 'request');
}
