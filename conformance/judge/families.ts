import type { Family } from '../../contract/index.ts';
import { judgeBody } from './body.ts';
import { judgeConcurrency } from './concurrency.ts';
import { judgeHeader } from './header.ts';
import { observeOpen } from './open.ts';
import { judgeParameter } from './parameter.ts';
import { judgeRateLimit } from './rate-limit.ts';
import { judgeRobustness } from './robustness.ts';
import { judgeState } from './state.ts';
import { judgeStatus } from './status.ts';
import type { Finding } from './trace/finding.ts';
import { judgeIntents } from './trace/intent.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the exchanges of a run by the intents that they carry. Pure: works on a log as well. */
export type FamilyJudge = (trace: Trace) => Iterable<Finding>;

/** Who judges the requirements of each family. */
export const familyJudges: Readonly<Record<Family, FamilyJudge>> = {
  status: judgeStatus,
  body: judgeBody,
  header: judgeHeader,
  // A body that breaks its schema in one way is refused, one that keeps it is not.
  request: (trace) => judgeIntents(trace, 'request'),
  parameter: judgeParameter,
  state: judgeState,
  // Each request without the right key gets 401, nearly right keys included.
  auth: (trace) => judgeIntents(trace, 'auth'),
  'rate-limit': judgeRateLimit,
  concurrency: judgeConcurrency,
  robustness: judgeRobustness,
  open: observeOpen,
};
