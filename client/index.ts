export {
  type ClientRecord,
  readClientRecord,
  type RecordedScenario,
  renderClientRecord,
} from './log/client-record.ts';
export { composeClientReport, type ClientSubject } from './log/compose-report.ts';
export { readJournalLog } from './journal.ts';
export { judgeClient } from './judge.ts';
export {
  type ClientEnd,
  type ClientFacts,
  type ClientLog,
  isBadEnd,
  type PlayedScenario,
} from './log/log.ts';
export { type Inventory, isWholeProof, listMissing, rejudge, type Rejudgement } from './rejudge.ts';
export { compileRules } from './rules/rule-list.ts';
export type { ClientRule, RuleId } from './rules/rule.ts';
export { explainUnmet, type Scenario } from './scenarios/scenario.ts';
export { listScenarios } from './scenarios/scenarios.ts';
export {
  createScenarioRunner,
  type OpenScenario,
  type ScenarioRunner,
} from './run/scenario-run.ts';
