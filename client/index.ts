export type { ClientEnd, ClientFacts, ClientLog, PlayedScenario } from './log.ts';
export { compileRules } from './rule-list.ts';
export type { ClientRule, RuleId } from './rule.ts';
