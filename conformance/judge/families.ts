import type { Family } from './trace/requirement.ts';
import { observeOpen } from '../question/index.ts';
import { judgeBody } from '../family/body.ts';
import { judgeConcurrency } from '../family/concurrency.ts';
import { judgeUncut, judgeUncutLimit } from './trace/cut.ts';
import { judgeHeader } from '../family/header.ts';
import { judgeParameter } from '../family/parameter.ts';
import { judgeRateLimit } from '../family/rate-limit.ts';
import { judgeRequest } from '../family/request.ts';
import { judgeRobustness } from '../family/robustness.ts';
import { judgeState } from '../family/state.ts';
import type { Finding } from './trace/finding.ts';
import { judgeIntents } from '../family/intent.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the exchanges of a run by the intents that they carry. Pure: works on a log as well. */
export type FamilyJudge = (trace: Trace) => Iterable<Finding>;

/** Who judges the requirements of each family. */
export const familyJudges: Readonly<Record<Family, FamilyJudge>> = {
  /** Success for valid requests, and 404 for what is not there. */
  status: (trace) => judgeIntents(trace, 'status'),
  body: judgeBody,
  header: judgeHeader,
  request: judgeRequest,
  parameter: (trace) => judgeUncut(judgeParameter(trace), trace),
  state: (trace) => judgeUncut(judgeState(trace), trace),
  /** Requests without the right key: each gets 401, also with one that is nearly right. */
  auth: (trace) => judgeIntents(trace, 'auth'),
  'rate-limit': (trace) => judgeUncutLimit(judgeRateLimit(trace), trace),
  concurrency: (trace) => judgeUncut(judgeConcurrency(trace), trace),
  robustness: judgeRobustness,
  open: (trace) => judgeUncut(observeOpen(trace), trace),
};
