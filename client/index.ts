export { compileRules, composeClientReport, judgeClient } from './judge.ts';
export { readJournalLog } from './journal.ts';
export {
  type ClientEnd,
  type ClientLog,
  type ClientRecord,
  clientRecord,
  isBadEnd,
  type RecordedScenario,
} from './log.ts';
export { listRecordErrors, rejudge } from './rejudge.ts';
export { listScenarios, type Scenario } from './scenarios.ts';
export { openScenario, type ScenarioRun, setUpScenario } from './scenario-run.ts';
