export {
  createMovableClock,
  systemClock,
  type Clock,
  type WaitReason,
} from './transport/carrier.ts';
export {
  readCounterexample,
  parseReplayId,
  shortenReplayId,
  type Counterexample,
} from './counterexample/counterexample.ts';
export { replayCounterexample, type Replay } from './run/replay.ts';
export {
  compareReports,
  type ChoiceDifference,
  type Comparison,
  type FailureDifference,
} from './compare/comparison.ts';
export type { Sides } from './compare/responses.ts';
export {
  credentialUse,
  headerOf,
  type Intent,
  jsonOf,
  readJson,
  exchange,
  exchangeLog,
  type ReceivedResponse,
  type ClientIntent,
  type ConnectionTimes,
  type CredentialUse,
  type Exchange,
  type Outcome,
  type SentRequest,
  type TransportError,
} from './transport/exchange.ts';
export { once } from '../contract/memo/once.ts';
export { mergeReports, type NamedReport } from './merge/merge.ts';
export { nameShards, type MergeFacts, type Shard } from './shard/shard.ts';
export {
  type RunPlan,
  type Watcher,
  listSettingFlags,
  runRecord,
  settingsOfFlags,
  settleRun,
  type RunOptions,
  type RunRecord,
} from './run/settings.ts';
export { createRedaction, redactedKey, redactOutcome, type Redact } from './transport/redaction.ts';
export { cutReason } from './judge/trace/cut.ts';
export { memberPath } from './judge/trace/item.ts';
export {
  assembleReport,
  contractFacts,
  countVerdicts,
  isFailedRun,
  isFailure,
  isNotTested,
  leftBehind,
  reportFacts,
  runFacts,
  targetFacts,
  watchedRun,
  type Report,
  type RunReport,
  type TrafficNote,
} from './run/report.ts';
export { type Departure, rerun, type Rerun } from './run/rerun.ts';
export { countRequests } from './run/plan.ts';
export { planConformance, runConformance } from './run/run.ts';
export {
  defineConformanceTests,
  type TestContext,
  type TestRunner,
  type TestTarget,
} from './run/test-suite.ts';
export {
  bytesOf,
  createSender,
  pairsOf,
  readTransportError,
  type Sender,
  type WireRequest,
} from './transport/sender.ts';
export {
  createAllowance,
  measureJson,
  readBody,
  tellCount,
  undoCodings,
  UnreadableResponse,
} from './transport/body-intake.ts';
export { commonChoices, type Finding, type Observation } from './judge/trace/finding.ts';
export { isReachable } from './family/status.ts';
export {
  families,
  type Family,
  type Requirement,
  requirementId,
} from './judge/trace/requirement.ts';
export { listRequirements, requirementsOf } from './family/requirements.ts';
export type { Step } from './family/rate-limit.ts';
export { isPassive, judgeContent, judgeFields, judgeSeries } from './judge/passive.ts';
export { listFaults, type ReadRequest, type RequestFault } from './request/fault.ts';
export {
  cookiesOf,
  fieldOf,
  isPreflight,
  type ParameterTexts,
  readCookies,
  readTexts,
  routerOf,
} from './request/route.ts';
export {
  notTested,
  settleFindings,
  type Failure,
  type Verdict,
  type WaiverResult,
} from './judge/verdict.ts';
export { describeBudget, describeReason, reason, type Reason } from './judge/reason/reason.ts';
export { readWaivers, refuseUnbounded, type Waiver, waiverMembers } from './judge/waiver.ts';
export { readSentBody } from './transport/sent-body.ts';
export { renderRequestBody } from './generate/request-body.ts';
export { waiversHeader } from './transport/request-parts.ts';
export {
  describeLeftOut,
  explainCut,
  explainNothing,
  explainUndecided,
  explainUnread,
  readShare,
  requiredShare,
} from './outcome/inconclusive.ts';
export { findPlan, pathValuesOf } from './judge/trace/trace.ts';
export type { Phase } from './probes/probe.ts';
export { planDone } from './transport/pacing.ts';
export { explainUnreached } from './transport/unusable-target.ts';
export {
  alterKey,
  describeUse,
  encodeQuery,
  type KeyParts,
  listCredentialFields,
  withCredential,
} from './transport/credential.ts';
export {
  operationOf,
  parseBaseUrl,
  resolveTarget,
  type Target,
  writes,
} from './transport/target.ts';
