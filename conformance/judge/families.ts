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

/**
 * Who judges the requirements of each family. Their sentences are beside their judges, in
 * `conformance/family/`; `Sent by` names the files of `conformance/probes/` that are about them.
 */
export const familyJudges: Readonly<Record<Family, FamilyJudge>> = {
  /** Success for valid requests, and 404 for what is not there. Sent by reads, valid-write, absent. */
  status: (trace) => judgeIntents(trace, 'status'),
  /** Read in every response. */
  body: judgeBody,
  /** Read in every response. */
  header: judgeHeader,
  /** Sent by general, invalid-write, valid-write. */
  request: judgeRequest,
  /** Sent by lists, parameters. */
  parameter: (trace) => judgeUncut(judgeParameter(trace), trace),
  /** Sent by valid-write, change, reads, lists, settle. */
  state: (trace) => judgeUncut(judgeState(trace), trace),
  /** Requests without the right key: each gets 401, also with one that is nearly right. Sent by auth. */
  auth: (trace) => judgeIntents(trace, 'auth'),
  /** Read in every response. Sent by rate-limit, settle. */
  'rate-limit': (trace) => judgeUncutLimit(judgeRateLimit(trace), trace),
  /** Sent by valid-write, change. */
  concurrency: (trace) => judgeUncut(judgeConcurrency(trace), trace),
  /** Read in every response. Sent by unspecified. */
  robustness: judgeRobustness,
  /** Sent and read by the files of `conformance/question/`. */
  open: (trace) => judgeUncut(observeOpen(trace), trace),
};
