export {
  type ClientRecord,
  readClientRecord,
  type RecordedScenario,
  renderClientRecord,
} from './log/client-record.ts';
export { composeClientReport } from './log/compose-report.ts';
export { readJournalLog } from './journal.ts';
export { judgeClient } from './judge.ts';
export { type ClientEnd, type ClientLog, isBadEnd } from './log/log.ts';
export { isWholeProof, listMissing, rejudge } from './rejudge.ts';
export { compileRules } from './rules/rule-list.ts';
export { explainUnmet, type Scenario } from './scenarios/scenario.ts';
export { listScenarios } from './scenarios/scenarios.ts';
export { createScenarioRunner, type ScenarioRunner } from './run/scenario-run.ts';
