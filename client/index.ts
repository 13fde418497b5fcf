export { composeClientReport, type ClientSubject } from './compose-report.ts';
export { judgeClient } from './judge.ts';
export type { ClientEnd, ClientFacts, ClientLog, PlayedScenario } from './log.ts';
export { compileRules } from './rule-list.ts';
export type { ClientRule, RuleId } from './rule.ts';
export type { Scenario } from './scenario.ts';
export { listScenarios } from './scenarios/index.ts';
export { createTheatre, type Scene, type Theatre } from './scene.ts';
export { explainUnmet } from './unmet-need.ts';
