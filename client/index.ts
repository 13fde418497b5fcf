export {
  type ClientRecord,
  readClientRecord,
  type RecordedScenario,
  renderClientRecord,
} from './client-record.ts';
export { composeClientReport, type ClientSubject } from './compose-report.ts';
export { JournalError, readJournalLog } from './journal.ts';
export { judgeClient } from './judge.ts';
export {
  type ClientEnd,
  type ClientFacts,
  type ClientLog,
  isBadEnd,
  type PlayedScenario,
} from './log.ts';
export { isWholeProof, listMissing, rejudge, type Rejudgement } from './rejudge.ts';
export { compileRules } from './rule-list.ts';
export type { ClientRule, RuleId } from './rule.ts';
export type { Scenario } from './scenario.ts';
export { listScenarios } from './scenarios/index.ts';
export { createTheatre, type Scene, type Theatre } from './scene.ts';
export { explainUnmet } from './unmet-need.ts';
