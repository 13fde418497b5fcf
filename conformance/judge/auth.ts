import type { Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import type { Trace } from './trace/trace.ts';

/**
 * Judges requests without the right key: each gets 401. A key that is nearly right shows that keys
 * are compared exactly and, refused, that a wrong one is not taken.
 */
export function judgeAuth(trace: Trace): readonly Finding[] {
  return judgeIntents(trace, 'auth');
}
