import type { Family } from '../../contract/requirement/requirement.ts';
import { observeOpen } from '../question/index.ts';
import { judgeBody } from './body.ts';
import { judgeConcurrency } from './concurrency.ts';
import { judgeUncut, judgeUncutLimit } from './cut.ts';
import { judgeHeader } from './header.ts';
import { judgeParameter } from './parameter.ts';
import { judgeRateLimit } from './rate-limit.ts';
import { judgeRequest } from './request.ts';
import { judgeRobustness } from './robustness.ts';
import { judgeState } from './state.ts';
import type { Finding } from './trace/finding.ts';
import { judgeIntents } from './intent.ts';
import type { Trace } from './trace/trace.ts';

/** Judges the exchanges of a run by the intents that they carry. Pure: works on a log as well. */
export type FamilyJudge = (trace: Trace) => Iterable<Finding>;

/**
 * Who judges the requirements of each family. Their sentences are in the files of the same names in
 * `contract/requirement/`.
 */
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
