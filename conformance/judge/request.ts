import type { Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import type { Trace } from './trace/trace.ts';

/** Judges request bodies: one that breaks its schema is refused, one that keeps it is not. */
export function judgeRequest(trace: Trace): readonly Finding[] {
  return judgeIntents(trace, 'request');
}
