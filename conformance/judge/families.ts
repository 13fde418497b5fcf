import type { Family } from '../../contract/index.ts';
import { judgeAuth } from './auth.ts';
import { judgeBody } from './body.ts';
import { judgeConcurrency } from './concurrency.ts';
import { judgeHeader } from './header.ts';
import { observeOpen } from '../question/index.ts';
import { judgeParameter } from './parameter.ts';
import { judgeRateLimit } from './rate-limit.ts';
import { judgeRequest } from './request.ts';
import { judgeRobustness } from './robustness.ts';
import { judgeState } from './state.ts';
import { judgeStatus } from './status.ts';
import { judgeUncut, judgeUncutLimit } from './cut/uncut.ts';
import type { Finding } from './trace/finding.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the exchanges of a run by the intents that they carry. Pure: works on a log as well. */
export type FamilyJudge = (trace: Trace) => Iterable<Finding>;

/** Who judges the requirements of each family. */
export const familyJudges: Readonly<Record<Family, FamilyJudge>> = {
  status: judgeStatus,
  body: judgeBody,
  header: judgeHeader,
  request: judgeRequest,
  parameter: (trace) => judgeUncut(judgeParameter(trace), trace),
  state: (trace) => judgeUncut(judgeState(trace), trace),
  auth: judgeAuth,
  'rate-limit': (trace) => judgeUncutLimit(judgeRateLimit(trace), trace),
  concurrency: (trace) => judgeUncut(judgeConcurrency(trace), trace),
  robustness: judgeRobustness,
  open: (trace) => judgeUncut(observeOpen(trace), trace),
};
