import type { Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import type { Trace } from './trace/trace.ts';

/** Judges requests without the right key: each gets 401, nearly right keys included. */
export function judgeAuth(trace: Trace): readonly Finding[] {
  return judgeIntents(trace, 'auth');
}
