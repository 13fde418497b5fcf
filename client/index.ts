export { composeClientReport, judgeClient } from './judge.ts';
export { readJournalLog } from './journal.ts';
export {
  type ClientEnd,
  type ClientLog,
  type ClientRecord,
  clientRecord,
  isBadEnd,
  type RecordedScenario,
} from './log.ts';
export { isWholeProof, listMissing, rejudge } from './rejudge.ts';
export { compileRules } from './rule-list.ts';
export { explainUnmet, listScenarios, type Scenario } from './scenarios.ts';
export {
  type OpenScenario,
  openScenario,
  type ScenarioRun,
  setUpScenario,
} from './scenario-run.ts';
