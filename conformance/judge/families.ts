import type { Family } from '../../contract/index.ts';
import { judgeAuth } from './auth.ts';
import { judgeBody } from './body.ts';
import { judgeConcurrency } from './concurrency.ts';
import { judgeHeader } from './header.ts';
import { observeOpen } from './open.ts';
import { judgeParameter } from './parameter.ts';
import { judgeRateLimit } from './rate-limit.ts';
import { judgeRequest } from './request.ts';
import { judgeRobustness } from './robustness.ts';
import { judgeState } from './state.ts';
import { judgeStatus } from './status.ts';
import type { Finding } from './trace/finding.ts';
import type { Trace } from './trace/trace.ts';

/**
 * Judges the exchanges of a run by the requirements of one family. Pure, so that a run can be judged
 * again from its log: of what a probe meant, it sees only the intent that each exchange carries.
 */
export type FamilyJudge = (trace: Trace) => Iterable<Finding>;

/** Who judges the requirements of each family. */
export const familyJudges: Readonly<Record<Family, FamilyJudge>> = {
  status: judgeStatus,
  body: judgeBody,
  header: judgeHeader,
  request: judgeRequest,
  parameter: judgeParameter,
  state: judgeState,
  auth: judgeAuth,
  'rate-limit': judgeRateLimit,
  concurrency: judgeConcurrency,
  robustness: judgeRobustness,
  open: observeOpen,
};
