export { createMovableClock, systemClock, type Clock } from './clock.ts';
export { readCounterexample, renderReplayId, parseReplayId, ReplayError } from './replay-id.ts';
export type { Counterexample } from './counterexample.ts';
export { replayCounterexample, type Replay, type ReplayOptions } from './replay.ts';
export {
  compareReports,
  type ChoiceDifference,
  type Comparison,
  type OneSided,
  type Sides,
  type ViolationDifference,
} from './comparison.ts';
export { BrokenRun } from './diagnosis.ts';
export {
  headerOf,
  type Answer,
  type ClientIntent,
  type ClientRefusal,
  type CredentialUse,
  type Exchange,
  type Outcome,
  type SentRequest,
} from './exchange.ts';
export { readExchanges, renderExchange, renderExchanges } from './exchange-log.ts';
export {
  choiceOf,
  listOf,
  LogError,
  openMembers,
  orNull,
  type Read,
  readFlag,
  readInstant,
  readText,
  wholeFrom,
} from './log-reader.ts';
export type { Plan } from './plan.ts';
export { createRedaction, redactedKey, type Redact } from './redaction.ts';
export {
  countVerdicts,
  describeContract,
  isFailedRun,
  type Report,
  type RunReport,
} from './report.ts';
export { renderAnnotations } from './render/annotation.ts';
export { fitColumns, wrapWords } from './render/columns.ts';
export { renderJsonComparison } from './render/comparison-json.ts';
export { renderBriefComparison, renderComparison } from './render/comparison.ts';
export { renderReportFiles, type ReportFile } from './render/files.ts';
export { renderHar } from './render/har.ts';
export { renderHtml } from './render/html/page.ts';
export { renderPlan } from './render/plan.ts';
export { anchorOf, html, nothing, renderProse, type Html } from './render/html/element.ts';
export { renderJsonReport } from './render/json.ts';
export { renderJunit } from './render/junit.ts';
export { renderMarkdown } from './render/markdown.ts';
export { ansiPaint, plainPaint, type Paint } from './render/paint.ts';
export { plainLayout, type TextLayout } from './render/text-layout.ts';
export { renderBriefText, renderText } from './render/text.ts';
export { rerun, type Departure, type Rerun } from './rerun.ts';
export { showLine } from './render/visible.ts';
export { runConformance } from './run.ts';
export { settleRun } from './run-defaults.ts';
export { readRunRecord, renderRunRecord, type RunRecord } from './run-record.ts';
export {
  defineConformanceTests,
  type TestContext,
  type TestRunner,
  type TestTarget,
} from './test-door.ts';
export type { RunOptions, Watcher } from './run-options.ts';
export { createSender, type Sender } from './sender.ts';
export { TargetError, type Target } from './target.ts';
export type { Verdict, Violation } from './verdict.ts';
export { readWaivers, WaiverError, type Waiver } from './waiver.ts';
export { applyWaivers } from './waiver-result.ts';
